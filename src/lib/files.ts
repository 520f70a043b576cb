/** Files of the service: looked for by a command, and written so that they outlast a power cut. */
import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { invalid } from "./problem.ts";

/** Whether something is there. Throws a Problem when this user may not read it: that is not to be absent. */
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

/** Writes a file for its owner alone. It is there whole, and on disk when this returns, or not at all. */
export function writeWhole(file: string, content: string): void {
  const unfinished = `${file}.new`;
  rmSync(unfinished, { force: true });
  const descriptor = openSync(unfinished, "wx", 0o600);
  try {
    writeFileSync(descriptor, content);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(unfinished, file);
  syncDirectory(dirname(file));
}

/** Makes a directory for its owner alone, with those above it. */
export function makeDirectories(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  const above = dirname(resolve(first));
  for (let made = resolve(path); made !== above; made = dirname(made)) syncDirectory(dirname(made));
}

/** A file's own sync does not bring its name to disk: what was made or renamed in a directory is there after this. */
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

/** Of a directory that may be written and not be read, and of file systems that sync no directories. */
const cannotSync = ["EACCES", "EINVAL", "EBADF"];
