/** Thread entry: parses geo files, which takes seconds, in parallel with the caller. */
import { parentPort, workerData } from "node:worker_threads";
import type { GeoData } from "../facts/data.ts";
import { loadGeo } from "./load.ts";

export interface LoadOrder {
  readonly paths: readonly string[];
  /** The data that was read before. */
  readonly before: GeoData | undefined;
}

const { paths, before }: LoadOrder = workerData;
parentPort?.postMessage(await loadGeo(paths, before));
