/** vitest's global set-up: the directory of the run's single PostgreSQL server. It is started by the first test file that needs it. */
import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { clusterBelow, postmasterOf } from "../../src/storage/embedded/cluster.ts";
import { runningPostgres } from "../../src/storage/embedded/postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly storeDirectory: string;
  }
}

/** A directory in memory, and the space that must be free there: a database for each test file, and the log. */
export const memory = "/dev/shm";
const roomNeeded = 4e9;

export default function setup(project: TestProject) {
  const directory = mkdtempSync(join(hasRoom(memory) ? memory : tmpdir(), "fairlead-store-"));
  project.provide("storeDirectory", directory);
  return async () => {
    const server = await runningPostgres(directory);
    // at once, without a checkpoint, because no data are needed later
    if (server) process.kill(postmasterOf(clusterBelow(directory))!, "SIGQUIT");
    await server?.stop();
    // the server's processes may still be writing while they end
    rmSync(directory, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  };
}

/** Hundreds of small databases are created; on a disk, tests would mostly wait for that. */
function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize >= roomNeeded;
  } catch {
    return false;
  }
}
