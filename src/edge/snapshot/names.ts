/** Paths of an edge's snapshots: the newest one, the previous one, and the one that is being written. */
import { readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { syncDirectory } from "../../lib/files.ts";

export interface SnapshotFiles {
  readonly newest: string;
  readonly writing: string;
}

/** `name`: name of the contents, such as `zones`. */
export const snapshotFiles = (directory: string, name: string): SnapshotFiles => ({
  newest: join(directory, name),
  writing: join(directory, `${name}.writing.${process.pid}`),
});

export const previousOf = (newest: string) => `${newest}.previous`;

/** Makes the written file, already synced to disk, the newest one. Between the renames only the previous one exists. */
export function putInPlace({ newest, writing }: SnapshotFiles): void {
  try {
    renameSync(newest, previousOf(newest));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  renameSync(writing, newest);
  syncDirectory(dirname(newest));
}

/** Removes unfinished files of processes that ended during a write. */
export function removeUnfinished(directory: string): void {
  let names: string[] = [];
  try {
    names = readdirSync(directory);
  } catch {
    // nothing was ever written
  }
  for (const name of names) {
    const pid = /\.writing\.(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(directory, name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
