/** Other versions of Fairlead: copies of the sources, with the changes that a later version may bring. */
import { version } from "../../src/config/version.ts";
import { PatchedTree } from "../machine/patched.ts";
import { tree } from "../service/kit.ts";

/** A version with the schema and the formats of this one. Must be disposed of. */
export function laterVersion(name: string): PatchedTree {
  const copy = new PatchedTree();
  copy.apply({ file: "package.json", from: `"version": "${version}"`, to: `"version": "${name}"` });
  return copy;
}

/** Adds a migration, which makes a table of that name. Names of later migrations come later in the alphabet. */
export function addMigration(copy: PatchedTree, name: string): void {
  const from = "/** The names of all migrations, in order. */";
  const migration = `{ up: (db) => sql\`create table "${name}" (id text)\`.execute(db).then(() => {}) }`;
  copy.apply({ file: "src/storage/migrate.ts", from, to: `migrations["${name}"] = ${migration};\n${from}` });
}

/** Raises the formats of both streams and of snapshots; what this version wrote can still be read. */
export function raiseFormats(copy: PatchedTree): void {
  const places = [
    ["src/sync/change.ts", "src/sync/body.ts", "changeFormat"],
    ["src/sync/live.ts", "src/sync/live.ts", "liveFormat"],
    ["src/edge/snapshot/format.ts", "src/edge/snapshot/format.ts", "snapshotFormat"],
  ] as const;
  for (const [file, reader, name] of places) {
    copy.apply({ file, from: `const ${name} = 1;`, to: `const ${name} = 2;` });
    copy.apply({ file: reader, from: `if (format !== ${name})`, to: `if (format !== 1 && format !== ${name})` });
  }
}

/** The versions of an installation, each later than the one before. Names of migrations: `9001_later`, ... */
export class Versions implements Disposable {
  readonly #copies: PatchedTree[] = [];
  #migrations = 0;

  /** The sources of the newest version. */
  get newest(): string {
    return this.#copies.at(-1)?.path ?? tree;
  }

  /** Makes the next version; returns its sources. */
  next(change: "with the same schema" | "with another schema"): string {
    const copy = laterVersion(`${this.#copies.length + 2}.0.0`);
    if (change === "with another schema") this.#migrations++;
    for (let n = 1; n <= this.#migrations; n++) addMigration(copy, `${9000 + n}_later`);
    this.#copies.push(copy);
    return copy.path;
  }

  [Symbol.dispose](): void {
    for (const copy of this.#copies) copy[Symbol.dispose]();
  }
}
