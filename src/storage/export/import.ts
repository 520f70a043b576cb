/** Imports an exported file into an empty store, in one transaction, with every secret sealed for this installation. */
import { createHash } from "node:crypto";
import { accessSync, constants, createReadStream, existsSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { invalid } from "../../lib/problem.ts";
import type { Secrets } from "../../lib/secrets.ts";
import { firstMigration, unreleased } from "../../sync/postgres/schema.ts";
import { insertion } from "../connection/insertion.ts";
import { feedCellsMigration, migrationNames } from "../migrate.ts";
import { fillNamed } from "../migrations/0005_feed_cells.ts";
import { type Claim, claimOf, reseal, sealedColumns, type TextRow } from "../secrets/sealed.ts";
import { endEpoch } from "../sequencer/epoch.ts";
import type { Tables } from "../tables/index.ts";
import { exportedTables } from "../tables/owners.ts";
import {
  ContainerReader,
  containerFormat,
  type ExportKey,
  type Header,
  notOurs,
  type TableEnd,
  type TableHead,
} from "./container.ts";
import { mapRows } from "./copy-text.ts";

export interface ImportOptions {
  /** The URL of an empty store whose schema is current. */
  readonly url: string;
  readonly file: string;
  /** Seals secrets in this store. */
  readonly secrets: Secrets;
  /** Opens the secrets in the file. */
  readonly fileSecrets: (key: ExportKey) => Secrets;
}

const insertClaims = insertion("key_claim", { hash: "text", account_id: "text", key_id: "text", secret_id: "text" });

/** Returns the number of rows by table. Throws a Problem and changes nothing if the file or the store is not suitable. */
export async function importStore(options: ImportOptions): Promise<Record<string, number>> {
  await assertExport(options.file);
  const client = new pg.Client({ connectionString: options.url });
  await client.connect();
  const { reader, close } = opened(options.file);
  try {
    const header = checkHeader(await reader.line());
    await client.query("begin");
    await assertEmpty(client);
    const from = options.fileSecrets(header.key);
    const claims: Claim[] = [];
    const counts = await importTables(client, reader, header, (table, row) => {
      const moved = reseal(table, row, from, options.secrets);
      const claim = claimOf(table, moved, options.secrets);
      if (claim) claims.push(claim);
      return moved;
    });
    await client.query(insertClaims, [JSON.stringify(claims)]);
    if (!header.migrations.includes(feedCellsMigration)) await client.query(fillNamed);
    await client.query(endEpoch);
    await client.query("commit");
    await client.query("analyze");
    return counts;
  } finally {
    close();
    // an open transaction is rolled back with the connection
    await client.end();
  }
}

/** Throws a Problem when the file is not an export, or this version cannot read it. */
export async function assertExport(file: string): Promise<void> {
  assertReadable(file);
  await assertZipped(file);
  const { reader, close } = opened(file);
  try {
    checkHeader(await reader.line());
  } finally {
    close();
  }
}

function opened(file: string): { reader: ContainerReader; close(): void } {
  const gunzip = createGunzip();
  const zipped = createReadStream(file).on("error", (error) => gunzip.destroy(error));
  return { reader: new ContainerReader(zipped.pipe(gunzip)), close: () => zipped.destroy() };
}

function assertReadable(file: string): void {
  if (!existsSync(file)) throw invalid(`${file}: no such file`);
  if (statSync(file).isDirectory()) throw invalid(`${file}: is a directory`);
  try {
    accessSync(file, constants.R_OK);
  } catch {
    throw invalid(`${file}: cannot be read: permission denied`);
  }
}

/** Throws unless the file starts with the octets of gzip (RFC 1952, section 2.3.1). */
async function assertZipped(file: string): Promise<void> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, null);
    if (bytesRead < 2 || buffer.readUInt16BE() !== 0x1f8b) throw invalid(notOurs);
  } finally {
    await handle.close();
  }
}

function checkHeader(line: Record<string, unknown>): Header {
  const header = line as Partial<Header>;
  if (header.fairlead_store === undefined) throw invalid(notOurs);
  if (header.fairlead_store !== containerFormat) {
    throw invalid(`the file has format ${header.fairlead_store}; this version reads format ${containerFormat}`);
  }
  const written = header.migrations ?? [];
  if (!written.includes(firstMigration)) throw invalid(unreleased("the file"));
  const later = written.find((name, i) => name !== migrationNames[i]);
  if (later !== undefined)
    throw invalid(`a newer version of Fairlead wrote the file (${later}): import it with that version`);
  return header as Header;
}

async function assertEmpty(client: pg.Client) {
  for (const table of exportedTables) {
    if (table === "sequencer") continue;
    const { rowCount } = await client.query(`select from ${client.escapeIdentifier(table)} limit 1`);
    if (rowCount) throw invalid(`the store is not empty: "${table}" has rows. Import needs a new store`);
  }
  await client.query("delete from sequencer");
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
