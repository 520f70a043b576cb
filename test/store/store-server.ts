/**
 * vitest's global set-up: a place for temporary files, and in it the directory of the run's single PostgreSQL server, which
 * is started by the first test file that needs it.
 */
import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
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

/** A directory in memory, and the space that must be free there: for a database for each test file, and whole services. */
export const memory = "/dev/shm";
const roomNeeded = 8e9;

export default function setup(project: TestProject) {
  const place = mkdtempSync(join(hasRoom(memory) ? memory : tmpdir(), "fairlead-tests-"));
  // tests run programs as other users too
  chmodSync(place, 0o1777);
  process.env["TMPDIR"] = place;
  const directory = mkdtempSync(join(place, "store-"));
  project.provide("storeDirectory", directory);
  return async () => {
    const server = await runningPostgres(directory);
    // at once, without a checkpoint, because no data are needed later
    if (server) process.kill(postmasterOf(clusterBelow(directory))!, "SIGQUIT");
    await server?.stop();
    // the server's processes may still be writing while they end
    rmSync(place, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  };
}

/** Hundreds of databases and thousands of files are made and removed: on a disk, that takes a third of the CPU time. */
function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize >= roomNeeded;
  } catch {
    return false;
  }
}
