/** Exports a whole store to one file: a consistent snapshot, with every secret sealed for the file or left out. */
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { syncDirectory } from "../../lib/files.ts";
import { invalid } from "../../lib/problem.ts";
import type { Secrets } from "../../lib/secrets.ts";
import { migrationNames } from "../migrate.ts";
import { reseal, sealedColumns, type TextRow, withoutSecret } from "../secrets/sealed.ts";
import type { Tables } from "../tables/index.ts";
import { exportedTables } from "../tables/owners.ts";
import { composeLine, composeRows } from "./container.ts";
import { mapRows } from "./copy-text.ts";
import { containerFormat, type ExportKey } from "./header.ts";

export interface ExportOptions {
  /** The URL of a store whose schema is current. */
  readonly url: string;
  readonly file: string;
  /** The version of this program. */
  readonly version: string;
  /** Opens the store's secrets, and seals them in the file; undefined to leave them out. */
  readonly secrets: { readonly store: Secrets; readonly file: Secrets } | undefined;
  readonly key: ExportKey;
}

export interface Exported {
  /** The number of rows by table. */
  readonly counts: Record<string, number>;
  /** The number of secrets that were left out by table. */
  readonly leftOut: Record<string, number>;
}

/** The file appears when it is complete. */
export async function exportStore(options: ExportOptions): Promise<Exported> {
  const unfinished = `${options.file}.unfinished`;
  const client = new pg.Client({ connectionString: options.url });
  // the statement that is running reports the failure
  client.on("error", () => {});
  await client.connect();
  try {
    const done: Exported = { counts: {}, leftOut: {} };
    await client.query("begin transaction isolation level repeatable read read only");
    const output = createWriteStream(unfinished, { mode: 0o600, flush: true });
    await pipeline(compose(client, options, done), createGzip({ level: 3 }), output);
    await client.query("commit");
    await rename(unfinished, options.file);
    syncDirectory(dirname(options.file));
    return done;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw fileProblem(options.file, error);
  } finally {
    await client.end();
  }
}

/** Converts an error of the file system to a Problem; returns other errors unchanged. */
function fileProblem(file: string, error: unknown): unknown {
  const isOfFile = error instanceof Error && "syscall" in error && "path" in error && "code" in error;
  return isOfFile ? invalid(`${file}: cannot be written (${error.code})`) : error;
}

async function* compose(client: pg.Client, options: ExportOptions, { counts, leftOut }: Exported) {
  const { key, version } = options;
  const [migrations, tables] = [migrationNames, exportedTables];
  yield composeLine({ fairlead_store: containerFormat, version, migrations, tables, key });
  for (const table of exportedTables) {
    const columns = await columnsOf(client, table);
    yield composeLine({ table, columns });
    const list = columns.map((column) => client.escapeIdentifier(column)).join(", ");
    const copy = client.query(copyTo(`copy ${client.escapeIdentifier(table)} (${list}) to stdout`));
    let dropped = 0;
    const moved = (row: TextRow) => {
      const after = move(table, row, options);
      if (options.secrets === undefined && after !== row) leftOut[table] = (leftOut[table] ?? 0) + 1;
      if (after === undefined) dropped++;
      return after;
    };
    const rows = table in sealedColumns ? mapRows(copy, columns, moved) : copy;
    yield* composeRows(rows, () => {
      counts[table] = copy.rowCount - dropped;
      return counts[table];
    });
  }
  yield composeLine({ end: true });
}

const move = (table: keyof Tables, row: TextRow, { secrets }: ExportOptions): TextRow | undefined =>
  secrets ? reseal(table, row, secrets.store, secrets.file) : withoutSecret(table, row);

async function columnsOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ column_name: string }>(
    `select column_name from information_schema.columns
     where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  );
  return rows.map((row) => row.column_name);
}
