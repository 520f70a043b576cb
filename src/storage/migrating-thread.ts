/** Thread entry: brings the store's schema to this version, or says why it cannot be. */
import { parentPort, workerData } from "node:worker_threads";
import { newLog } from "../lib/log.ts";
import { Problem } from "../lib/problem.ts";
import { bringUpToDate } from "./db.ts";

export interface MigratingOrder {
  readonly url: string;
  /** Of the log. */
  readonly level: string;
}

const { url, level }: MigratingOrder = workerData;
try {
  await bringUpToDate(url, newLog(level, "supervisor"));
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  parentPort?.postMessage(error.message);
}
