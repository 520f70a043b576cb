/** Where an edge's snapshots lie: the newest one, the one before, and the one that is being written. */
import { readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { syncDirectory } from "../../lib/files.ts";

export interface SnapshotFiles {
  readonly newest: string;
  readonly writing: string;
}

/** `name`: what is kept, such as `zones`. */
export const snapshotFiles = (directory: string, name: string): SnapshotFiles => ({
  newest: join(directory, name),
  writing: join(directory, `${name}.writing.${process.pid}`),
});

export const previousOf = (newest: string) => `${newest}.previous`;

/** What was written, and has reached the disk, is the newest one now. Between the two steps the one before is found. */
export function putInPlace({ newest, writing }: SnapshotFiles): void {
  try {
    renameSync(newest, previousOf(newest));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  renameSync(writing, newest);
  syncDirectory(dirname(newest));
}

/** Removes what processes left behind that ended while they wrote. */
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
