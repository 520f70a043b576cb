/** Files of the service: checks of their existence, and writes that survive a power failure. */
import {
  accessSync,
  closeSync,
  constants,
  fchownSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { forOwnerOf } from "./owner.ts";
import { invalid } from "./problem.ts";

/** Whether a path exists. Throws a Problem when this user may not read the path, since it may exist then. */
export function isThere(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    const reason = code === "EACCES" ? "permission denied: run this as the owner of its directory" : String(code);
    throw invalid(`${path} cannot be read: ${reason}`);
  }
}

/** Writes a file that only its owner can read, completely or not at all; it is on disk when this returns. */
export function writeWhole(file: string, content: string): void {
  const unfinished = `${file}.new`;
  writeUnfinished(unfinished, content);
  renameSync(unfinished, file);
  syncDirectory(dirname(file));
}

/**
 * Writes to disk a file that only its owner can read; replaces an earlier file. What root writes belongs to the owner of
 * the directory, so that the service can read what a command of root wrote for it.
 */
export function writeUnfinished(unfinished: string, content: string): void {
  rmSync(unfinished, { force: true });
  const descriptor = openSync(unfinished, "wx", 0o600);
  try {
    forOwnerOf(dirname(unfinished), ({ uid, gid }) => fchownSync(descriptor, uid, gid));
    writeFileSync(descriptor, content);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes a directory that only its owner can access, and its parents. */
export function makeDirectories(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  const above = dirname(resolve(first));
  for (let made = resolve(path); made !== above; made = dirname(made)) syncDirectory(dirname(made));
}

/** Writes the entries of a directory to disk: the sync of a file does not write its name. */
export function syncDirectory(path: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, "r");
    fsyncSync(descriptor);
  } catch (error) {
    if (!cannotSync.includes(String((error as NodeJS.ErrnoException).code))) throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Errors for directories that are writable but not readable, and for file systems that cannot sync directories. */
const cannotSync = ["EACCES", "EINVAL", "EBADF"];
