/** Answers over open connections of DNS over TLS, compared with NSD. */
import { bench } from "./kit/bench.ts";
import { streams } from "./kit/streams.ts";

await bench((scale) => streams("dot", 2, scale));
