/** The npm packages that the service needs on a machine. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tree } from "../test/programs.ts";

/** The packages of `npm ci` by their path. */
interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: true }>>;
}

/** Their paths in the tree, such as `node_modules/pg`: what `npm ci --omit=dev` installs here. */
export function neededPackages(): string[] {
  const { packages }: Lock = JSON.parse(readFileSync(join(tree, "node_modules/.package-lock.json"), "utf8"));
  return Object.keys(packages).filter((path) => !packages[path]!.dev && existsSync(join(tree, path)));
}
