/** The data directory: what is in it, how it is made private, and held by one supervisor at a time. */
import { createHash } from "node:crypto";
import { accessSync, constants, realpathSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { makeDirectories } from "../../lib/files.ts";
import { invalid } from "../../lib/problem.ts";

export const masterKeyFile = (config: Config) => config.masterKeyFile ?? join(config.data, "master.key");

/** Makes the directory (mode 0700). Throws a Problem that names the flag when that cannot be. */
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
  EACCES: "cannot be made or written: permission denied",
  EPERM: "cannot be made or written: permission denied",
  EROFS: "is on a file system that cannot be written",
  EEXIST: "is not a directory",
  ENOTDIR: "is not below a directory",
};

/**
 * Makes the directory (mode 0700) and holds it for the life of the process. The hold is a socket name in the kernel
 * (unix(7), abstract): it vanishes with the process however that ends. Throws a Problem when another process holds it.
 */
export async function holdDirectory(path: string): Promise<void> {
  makeDirectory(path);
  const name = createHash("sha256").update(realpathSync(path)).digest("hex").slice(0, 32);
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once("error", () => reject(invalid(`--data: ${path} is in use by another fairlead`, { key: "--data" })));
    server.listen(`\0fairlead-${name}`, resolve);
  });
  server.unref();
}
