/** The data directory: private to its user, and held by one supervisor at a time. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { makeDirectories } from "../../lib/files.ts";
import { invalid } from "../../lib/problem.ts";

export const masterKeyFile = (config: Pick<Config, "masterKeyFile" | "data">) =>
  config.masterKeyFile ?? join(config.data, "master.key");

/** Creates the directory (mode 0700). Throws a Problem that names the flag if that fails. */
export function makeDirectory(path: string): void {
  try {
    makeDirectories(path);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw invalid(`--data: ${path} ${reasons[code ?? ""] ?? `cannot be used (${code})`}`, { key: "--data" });
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "cannot be created or written: permission denied",
  EPERM: "cannot be created or written: permission denied",
  EROFS: "is on a read-only file system",
  EEXIST: "is not a directory",
  ENOTDIR: "is not below a directory",
};

/**
 * Creates the directory (mode 0700) and locks it for the life of the process. The lock is an abstract socket name
 * (unix(7)), which vanishes with the process however it ends. Throws a Problem if another process holds the directory.
 */
export async function holdDirectory(path: string): Promise<void> {
  makeDirectory(path);
  const server = createServer((socket) => socket.destroy());
  await once(server.listen(`\0${lockOf(path)}`), "listening").catch(() => {
    throw invalid(`--data: ${path} is in use by another fairlead`, { key: "--data" });
  });
  server.unref();
}

/** The name of the abstract socket that locks a directory; of a directory that does not exist, nobody's. */
export function lockOf(path: string): string {
  const real = existsSync(path) ? realpathSync(path) : path;
  return `fairlead-${createHash("sha256").update(real).digest("hex").slice(0, 32)}`;
}
