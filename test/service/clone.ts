/** A copy of the tree, or of the packages that it needs, as a newcomer has them. */
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { output } from "../machine/processes.ts";
import { tree } from "./kit.ts";

/** The packages of `npm ci` by their path. */
interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: true }>>;
}

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

/** The packages that the service needs, as `npm ci --omit=dev` installs them. */
export async function copyPackages(to: string): Promise<void> {
  const { packages }: Lock = JSON.parse(readFileSync(join(tree, "node_modules/.package-lock.json"), "utf8"));
  const needed = Object.keys(packages).filter((path) => !packages[path]!.dev && existsSync(join(tree, path)));
  await output("cp", ["-a", "--parents", ...needed, "node_modules/.bin", to], { cwd: tree });
}
