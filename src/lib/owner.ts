/** Files that root makes for the service: they belong to the owner of the directory, so that the service can use them. */
import { lchownSync, lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Calls `change` with the owner of a directory, if this is root and the directory belongs to somebody else. */
export function forOwnerOf(directory: string, change: (owner: Owner) => void): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(directory);
  try {
    if (uid !== 0) change({ uid, gid });
  } catch (error) {
    // root of a user namespace cannot name every owner
    if (!["EPERM", "EINVAL"].includes(String((error as NodeJS.ErrnoException).code))) throw error;
  }
}

/** Gives a file or directory of root to a user, with what is in it. No link is followed. */
export function give(path: string, owner: Owner): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.uid !== 0) return;
  if (found.isDirectory()) for (const name of readdirSync(path)) give(join(path, name), owner);
  lchownSync(path, owner.uid, owner.gid);
}
