/** Thread entry: migrates the store's schema, or posts the reason of the failure. */
import { parentPort, workerData } from "node:worker_threads";
import { newLog } from "../lib/log.ts";
import { Problem } from "../lib/problem.ts";
import { bringUpToDate } from "./db.ts";

export interface MigratingOrder {
  readonly url: string;
  /** The log level. */
  readonly level: string;
}

const { url, level }: MigratingOrder = workerData;
try {
  await bringUpToDate(url, newLog(level, "supervisor"));
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  parentPort?.postMessage(error.message);
}
