/** Stores of unreleased versions are refused with a message, and not changed. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { emptyDatabase, silent } from "../../test/store/store.ts";
import { StreamConnection } from "../sync/postgres/connection.ts";
import { readCookieSecret } from "../sync/postgres/cookie-secret.ts";
import { UsageConnection } from "../sync/postgres/usage.ts";
import { openStore } from "./db.ts";
import { runningPostgres, startPostgres } from "./embedded/postgres.ts";

const fixture = readFileSync(new URL("../../test/formats/unreleased/store.sql", import.meta.url), "utf8");
const refusal = /was made by an unreleased version of Fairlead.*empty data directory.*empty database/;

test("a database of an unreleased version is refused by everything that opens it, and nothing in it changes", async () => {
  const url = await emptyDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(fixture);
  const before = await contentOf(client);
  expect(before.length).toBeGreaterThan(30);

  await expect(openStore(url, { log: silent })).rejects.toMatchObject({
    message: expect.stringMatching(/^the database "empty_\w+" was made by an unreleased/),
    status: 400,
  });
  await expect(openStore(url, { log: silent })).rejects.toThrow(refusal);
  const stream = { id: "edge", channel: "fairlead_change", onNews: () => {} };
  await expect(StreamConnection.open(url, stream)).rejects.toThrow(refusal);
  await expect(readCookieSecret(url)).rejects.toThrow(refusal);
  const report = { edge: "e", boot: "b", sequence: 1, at: 0, rows: [], mix: [], missing: [] };
  await expect(new UsageConnection(url).send(report)).rejects.toThrow(refusal);

  expect(await contentOf(client)).toEqual(before);
});

/** Returns every table, index, sequence and row. */
async function contentOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; kind: string }>(
    `select relname as name, relkind as kind from pg_class
     where relnamespace = current_schema()::regnamespace order by relname`,
  );
  const content = rows.map(({ name, kind }) => `${kind} ${name}`);
  for (const { name } of rows.filter(({ kind }) => kind === "r")) {
    const table = await client.query(`select xmin, ctid, t.* from ${name} t`);
    content.push(...table.rows.map((row) => `${name} ${JSON.stringify(row)}`));
  }
  return content;
}

test("an embedded store of an unreleased version is refused before a server is started on it", async () => {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-unreleased-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  mkdirSync(join(directory, "store/base"), { recursive: true });
  writeFileSync(join(directory, "store/PG_VERSION"), "18\n");
  const before = filesBelow(directory);

  const mended = `store/fairlead_store is missing.*pg_upgrade, create it again`;
  const named = new RegExp(`^the store in ${directory}/store ${refusal.source}.*${mended}`);
  await expect(startPostgres({ directory, log: silent })).rejects.toThrow(named);
  await expect(runningPostgres(directory)).rejects.toThrow(named);

  expect(filesBelow(directory)).toEqual(before);
});

const filesBelow = (directory: string) =>
  readdirSync(directory, { recursive: true, encoding: "utf8" }).map((name) => {
    const { mtimeMs, mode, size } = statSync(join(directory, name));
    return { name, mtimeMs, mode, size };
  });
