/** A copy of the tree, or of the packages that it needs, as a newcomer has them. */
import { cpSync, lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { neededPackages } from "../../packaging/packages.ts";
import { output } from "../machine/processes.ts";
import { tree } from "./kit.ts";

/** The files that git tracks, and the packages that the service needs, like a clone after `npm ci --omit=dev`. */
export async function cloneTree(to: string): Promise<void> {
  mkdirSync(to, { mode: 0o700 });
  const tracked = await output("git", ["-C", tree, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
  for (const path of tracked.split("\0")) {
    const from = join(tree, path);
    if (path !== "" && lstatSync(from, { throwIfNoEntry: false })) cpSync(from, join(to, path));
  }
  await copyPackages(to);
}

/** The packages that the service needs, as `npm ci --omit=dev` installs them. Their files are links: only read them. */
export async function copyPackages(to: string): Promise<void> {
  const copy = (...flags: readonly string[]) =>
    output("cp", ["-a", ...flags, "--parents", ...neededPackages(), "node_modules/.bin", to], { cwd: tree });
  // impossible on another file system
  await copy("--link").catch(() => copy());
}
