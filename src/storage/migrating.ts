/** Migrates the store's schema in a thread, whose memory is freed at its end. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Log } from "../lib/log.ts";
import { unavailable } from "../lib/problem.ts";
import type { MigratingOrder } from "./migrating-thread.ts";

/** Throws a Problem when the schema cannot be migrated to this version. */
export async function migrateInThread(url: string, log: Log): Promise<void> {
  const workerData: MigratingOrder = { url, level: log.level };
  const thread = new Worker(new URL("./migrating-thread.ts", import.meta.url), { workerData, name: "migrations" });
  let refused: string | undefined;
  thread.on("message", (reason: string) => {
    refused = reason;
  });
  await once(thread, "exit");
  if (refused !== undefined) throw unavailable(refused);
}
