/** The data directory: private to its user, and held by one supervisor at a time. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import type { Config } from "../../config/config.ts";
import { makeDirectories } from "../../lib/files.ts";
import { invalid } from "../../lib/problem.ts";

export const masterKeyFile = (config: Pick<Config, "masterKeyFile" | "data">) =>
  config.masterKeyFile ?? join(config.data, "master.key");

/** A directory in the data directory while an import runs. An embedded store is made in it. */
export const importSite = (data: string) => join(data, "store.importing");

/** Throws a Problem if an import into the data directory was cut off: a start would make an empty store in its place. */
export function assertNoImport({ data }: Pick<Config, "data">): void {
  const site = importSite(data);
  if (!existsSync(site)) return;
  throw invalid(
    `--data: an import into ${data} is running, or was cut off: repeat \`fairlead store import\`, or remove ${site} ` +
      "to start with an empty store",
    { key: "--data" },
  );
}

/** The directories that are made for a path, itself included and first. */
export function missingAbove(path: string): string[] {
  return existsSync(path) ? [] : [path, ...missingAbove(dirname(path))];
}

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
 * Returns the lock.
 */
export async function holdDirectory(path: string): Promise<Server> {
  makeDirectory(path);
  const server = createServer((socket) => socket.destroy());
  await once(server.listen(`\0${lockOf(path)}`), "listening").catch(() => {
    throw invalid(`--data: ${path} is in use by another fairlead`, { key: "--data" });
  });
  server.unref();
  return server;
}

/** The name of the abstract socket that locks a directory; of a directory that does not exist, nobody's. */
export function lockOf(path: string): string {
  const real = existsSync(path) ? realpathSync(path) : path;
  return `fairlead-${createHash("sha256").update(real).digest("hex").slice(0, 32)}`;
}
