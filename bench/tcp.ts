/** Answers over open TCP connections, compared with NSD. */
import { bench } from "./kit/bench.ts";
import { streams } from "./kit/streams.ts";

await bench((scale) => streams("tcp", 1.5, scale));
