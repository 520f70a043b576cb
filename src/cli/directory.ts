/** The data directory: made private, and held by one supervisor at a time. */
import { createHash } from "node:crypto";
import { mkdirSync, realpathSync } from "node:fs";
import { createServer } from "node:net";
import { invalid } from "../lib/problem.ts";

/**
 * Makes the directory (mode 0700) and holds it for the life of the process. The hold is a socket name in the kernel
 * (unix(7), abstract): it vanishes with the process however that ends. Throws a Problem when another process holds it.
 */
export async function holdDirectory(path: string): Promise<void> {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const name = createHash("sha256").update(realpathSync(path)).digest("hex").slice(0, 32);
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once("error", () => reject(invalid(`--data: ${path} is in use by another fairlead`, { key: "--data" })));
    server.listen(`\0fairlead-${name}`, resolve);
  });
  server.unref();
}
