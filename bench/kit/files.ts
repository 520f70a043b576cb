/** Temporary files of a bench. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";

/** A directory in memory, if the system has one. */
export const inMemory = <T>(use: (directory: string) => Promise<T>): Promise<T> =>
  temporary(use, existsSync(memory) ? memory : tmpdir());

export async function temporary<T>(use: (directory: string) => Promise<T>, below = tmpdir()): Promise<T> {
  const directory = mkdtempSync(join(below, "fairlead-bench-"));
  try {
    return await use(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
