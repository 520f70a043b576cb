/**
 * Imports an exported file into an empty database, with every secret sealed for this installation. One transaction makes
 * the schema of the version that wrote the file, reads the file, and runs the later migrations: so they treat the rows of
 * a file as those of a store.
 */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import type { Log } from "../../lib/log.ts";
import { invalid } from "../../lib/problem.ts";
import type { Secrets } from "../../lib/secrets.ts";
import { types } from "../../sync/postgres/connection.ts";
import { problemOf } from "../connection/failure.ts";
import { insertion } from "../connection/insertion.ts";
import { unopened } from "../db.ts";
import { migrateInside } from "../migrate.ts";
import { type Claim, claimOf, reseal, sealedColumns, type TextRow, withNewSecret } from "../secrets/sealed.ts";
import { endEpoch } from "../sequencer/epoch.ts";
import type { Tables } from "../tables/index.ts";
import { exportedTables } from "../tables/owners.ts";
import type { ContainerReader, TableEnd, TableHead } from "./container.ts";
import { mapRows } from "./copy-text.ts";
import { assertExport, opened } from "./file.ts";
import { checkHeader, type ExportKey, type Header, originOf } from "./header.ts";
import { isExpiring, type Lost, type LostRow, lostRow, namesOf } from "./lost.ts";

export interface ImportOptions {
  /** The URL of an empty database. */
  readonly url: string;
  readonly file: string;
  /** The version of this program. */
  readonly version: string;
  /** Seals secrets in this store. */
  readonly secrets: Secrets;
  /** Opens the secrets in the file; undefined if they were left out. */
  readonly fileSecrets: (key: ExportKey) => Secrets | undefined;
  /** Called last, in the transaction. */
  readonly beforeCommit: (tx: Transaction<Tables>) => Promise<void>;
  readonly log: Log;
}

export interface Imported {
  /** The number of rows by table. */
  readonly counts: Readonly<Record<string, number>>;
  /** What wrote the file. */
  readonly origin: string;
  /** What lost its secret, because the file was written without secrets. */
  readonly lost: readonly Lost[];
}

const insertClaims = insertion("key_claim", { hash: "text", account_id: "text", key_id: "text", secret_id: "text" });

/** Throws a Problem and changes nothing if the file or the database is not suitable. */
export async function importStore(options: ImportOptions): Promise<Imported> {
  await assertExport(options.file, options.version);
  const client = new pg.Client({ connectionString: options.url, types });
  // the statement that is running reports the failure
  client.on("error", () => {});
  const { reader, close } = opened(options.file);
  try {
    await client.connect();
    const header = checkHeader(await reader.line(), options.version);
    const imported = await overClient(client)
      .transaction()
      .execute(async (tx) => {
        await assertEmpty(client);
        await migrateInside(tx, options.log, header.migrations.at(-1));
        // the first migration makes this row
        await client.query("delete from sequencer");
        const { counts, claims, rows } = await importRows(client, reader, header, options);
        await migrateInside(tx, options.log);
        await client.query(insertClaims, [JSON.stringify(claims)]);
        await client.query(endEpoch);
        await options.beforeCommit(tx);
        return { counts, origin: originOf(header), lost: await namesOf(client, rows) };
      });
    await client.query("analyze");
    return imported;
  } catch (error) {
    throw unopened(options.url, problemOf(error));
  } finally {
    close();
    // an open transaction is rolled back with the connection
    await client.end();
  }
}

/** Kysely whose transactions are those of one connection. */
const overClient = (client: pg.Client) => {
  const held = Object.assign(client, { release() {} });
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: { connect: async () => held, end: async () => {}, options: {} } }),
  });
};

async function assertEmpty(client: pg.Client) {
  const made = "select current_database() as name where to_regclass('kysely_migration') is not null";
  const { rows } = await client.query<{ name: string }>(made);
  if (rows[0])
    throw invalid(`the database "${rows[0].name}" is not empty: it has the tables of a store. Import needs a new one`);
}

/** Imports the rows of a file, each with its secret sealed for this installation, or with a new one. */
async function importRows(client: pg.Client, reader: ContainerReader, header: Header, options: ImportOptions) {
  const { secrets, fileSecrets } = options;
  const from = fileSecrets(header.key);
  const claims: Claim[] = [];
  const rows: LostRow[] = [];
  const counts = await importTables(client, reader, header, (table, row) => {
    const moved = from ? reseal(table, row, from, secrets) : withNewSecret(table, row, secrets);
    if (!from && (moved !== row || isExpiring(table, row))) rows.push(lostRow(table, row));
    const claim = claimOf(table, moved, secrets);
    if (claim) claims.push(claim);
    return moved;
  });
  return { counts, claims, rows };
}

/** Imports the tables of a file. `moved` returns a row with its secret sealed for this installation. */
async function importTables(
  client: pg.Client,
  reader: ContainerReader,
  { tables }: Header,
  moved: (table: keyof Tables, row: TextRow) => TextRow,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const expected of tables) {
    const { table: name, columns } = (await reader.line()) as unknown as TableHead;
    const table = exportedTables.find((known) => known === name);
    if (!table || table !== expected) throw invalid(`the file is damaged: table "${name}" is not expected here`);
    const list = columns.map((column) => client.escapeIdentifier(column)).join(", ");
    const copy = client.query(copyFrom(`copy ${client.escapeIdentifier(table)} (${list}) from stdin`));
    const hash = createHash("sha256");
    const rows = reader.rows(hash);
    const resealed = (row: TextRow) => moved(table, row);
    await pipeline(Readable.from(table in sealedColumns ? mapRows(rows, columns, resealed) : rows), copy);
    const end = (await reader.line()) as unknown as TableEnd;
    if (copy.rowCount !== end.rows)
      throw invalid(`the file is damaged: "${table}" has ${copy.rowCount} rows, not ${end.rows}`);
    if (hash.digest("hex") !== end.sha256) throw invalid(`the file is damaged: the checksum of "${table}" is wrong`);
    counts[table] = copy.rowCount;
  }
  if ((await reader.line())["end"] !== true) throw invalid("the file is damaged: its end is missing");
  await client.query("select setval('change_seq', greatest((select max(seq) from change), 1))");
  return counts;
}
