/** The thread in which geo files are parsed: seconds of work, during which queries and the API go on. */
import { parentPort, workerData } from "node:worker_threads";
import type { GeoData } from "../facts/data.ts";
import { loadGeo, reloadGeo } from "./load.ts";

export interface LoadOrder {
  readonly paths: readonly string[];
  /** What was read before. */
  readonly data: GeoData | undefined;
}

/** One of the two. */
export interface Loaded {
  readonly data?: GeoData;
  readonly problem?: string;
}

const { paths, data }: LoadOrder = workerData;
const loaded = await (data ? reloadGeo(data) : loadGeo(paths)).then(
  (read): Loaded => ({ data: read }),
  (error): Loaded => ({ problem: error instanceof Error ? error.message : String(error) }),
);
parentPort?.postMessage(loaded);
