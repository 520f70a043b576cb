/**
 * Migrates the store's schema in a process of its own: its memory is freed at its end, and a process of root that became
 * another user can give it compiled code which that user may change.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Log } from "../lib/log.ts";
import { unavailable } from "../lib/problem.ts";

const entry = fileURLToPath(new URL("./migrating-process.ts", import.meta.url));

/** Throws a Problem when the schema cannot be migrated to this version. `env` is by default that of this process. */
export async function migrateInProcess(url: string, log: Log, env?: NodeJS.ProcessEnv): Promise<void> {
  // detached: a signal from the terminal goes to the supervisor, and no migration is cut off
  const child = fork(entry, [url, log.level], { ...(env ? { env } : {}), detached: true });
  let refused: string | undefined;
  child.on("message", (reason: string) => {
    refused = reason;
  });
  const [code, signal] = await once(child, "close");
  if (refused !== undefined) throw unavailable(refused);
  if (code !== 0) throw unavailable(`the store's schema was not migrated: the process ended with ${signal ?? code}`);
}
