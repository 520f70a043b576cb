/** Answers over kept connections of DNS over TLS beside NSD. */
import { bench } from "./kit/bench.ts";
import { streams } from "./kit/streams.ts";

await bench((scale) => streams("dot", 2, scale));
