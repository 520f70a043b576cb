/** Thread entry: parses geo files, which takes seconds, while queries and the API are served. */
import { parentPort, workerData } from "node:worker_threads";
import type { GeoData } from "../facts/data.ts";
import { loadGeo, reloadGeo } from "./load.ts";

export interface LoadOrder {
  readonly paths: readonly string[];
  /** The data that was read before. */
  readonly data: GeoData | undefined;
}

/** Has either the data or the message of a problem. */
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
