import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { contentOf, fill, keyString, rotatedString } from "../../../test/store/filled-store.ts";
import { emptyDatabase, silent, testStore } from "../../../test/store/store.ts";
import { sealedBy, secretsFrom } from "../../lib/secrets.ts";
import { migrationNames } from "../migrate.ts";
import { rotate, sealedColumns } from "../secrets/sealed.ts";
import type { Tables } from "../tables/index.ts";
import { exportedTables } from "../tables/owners.ts";
import { linesOf, parseRow, printRow } from "./copy-text.ts";
import { exportStore } from "./export.ts";
import { importStore } from "./import.ts";
import { newSalt, secretsOfPassphrase } from "./passphrase.ts";

const directory = mkdtempSync(join(tmpdir(), "fairlead-export-"));
afterAll(() => rmSync(directory, { recursive: true }));
const [there, here] = [secretsFrom([randomBytes(32)]), secretsFrom([randomBytes(32)])];

const source = await testStore();
const { account_id, key_id } = await fill(source, there);
const file = join(directory, "store.gz");
const salt = newSalt();
const fileSecrets = secretsOfPassphrase("correct horse battery", salt);
const key = { kind: "passphrase", id: fileSecrets.keyId, salt } as const;
const version = "0.1.0";
const sealing = { key, secrets: { store: there, file: fileSecrets } };
const { counts } = await exportStore({ url: source.url, file, version, ...sealing });

const beforeCommit = async () => {};
const load = (url: string, from = file) =>
  importStore({ url, file: from, version, secrets: here, fileSecrets: () => fileSecrets, beforeCommit, log: silent });

/** An empty database, as a store once the file is imported. */
const empty = async () => await testStore({ url: await emptyDatabase() });

test("an empty database that imports the file equals the exported store, row for row", async () => {
  const target = await empty();
  const origin = `Fairlead ${version} (schema ${migrationNames.at(-1)})`;
  expect(await load(target.url)).toEqual({ counts, origin, lost: [] });
  expect(await contentOf(target)).toEqual(await contentOf(source));
  expect(Object.values(counts).every((rows) => rows > 0)).toBe(true);
});

test("after an import, secrets open with the new master key only, and API keys are found with it", async () => {
  const target = await empty();
  await load(target.url);
  const row = await target.db.selectFrom("api_key").selectAll().executeTakeFirstOrThrow();
  expect(here.open(row.secret!, `api_key.secret:${key_id}`)).toBe(keyString);
  const claims = await target.db.selectFrom("key_claim").selectAll().execute();
  expect(claims).toHaveLength(2);
  expect(claims).toContainEqual({ hash: here.hash(keyString), account_id, key_id, secret_id: null });
  expect(claims).toContainEqual({ hash: here.hash(rotatedString), account_id, key_id, secret_id: "s" });
  const rotated = await target.db.selectFrom("api_key_secret").selectAll().executeTakeFirstOrThrow();
  expect(here.open(rotated.secret, "api_key_secret.secret:s")).toBe(rotatedString);
  const signing = await target.db.selectFrom("tsig_key").selectAll().executeTakeFirstOrThrow();
  expect(here.open(signing.secret, `tsig_key.secret:${account_id}:${signing.name}`)).toBe(keyString);
  const zone = await target.db.selectFrom("zone").selectAll().executeTakeFirstOrThrow();
  expect(here.open(zone.secondary_key!, `zone.secondary_key:${zone.id}`)).toBe(keyString);
  const gone = await target.db.selectFrom("deleted_zone").selectAll().executeTakeFirstOrThrow();
  expect(here.open(gone.fields.secondary_key!, `zone.secondary_key:${gone.id}`)).toBe(keyString);
  const reply = await target.db
    .selectFrom("idempotency")
    .select("body")
    .where("key", "=", "a\tkey")
    .executeTakeFirstOrThrow();
  expect(here.open(reply.body, `idempotency.body:${account_id}:a\tkey`)).toContain(keyString);
});

test("the file shows no secret", () => {
  expect(gunzipSync(readFileSync(file)).includes(keyString)).toBe(false);
});

test("a file without secrets shows none, and its import draws new ones and names what lost one", async () => {
  const open = join(directory, "without-secrets.gz");
  const written = await exportStore({
    url: source.url,
    file: open,
    version,
    key: { kind: "none" },
    secrets: undefined,
  });
  const [keys, others] = [
    { api_key: 1, api_key_secret: 1 },
    { user_credential: 1, draft: 1, mail: 1, idempotency: 1 },
  ];
  expect(written.leftOut).toEqual({ ...keys, ...others, tsig_key: 1, zone: 1, deleted_zone: 1 });
  const plain = gunzipSync(readFileSync(open)).toString();
  expect(plain).not.toMatch(/v1\.[0-9a-f]{8}\./);
  expect(plain).not.toContain(keyString);

  const target = await empty();
  const imported = await importStore({
    ...{ url: target.url, file: open, version, secrets: here, beforeCommit, log: silent },
    fileSecrets: () => undefined,
  });
  expect(imported.counts).toEqual(written.counts);
  const account = { account_id, account: expect.any(String), expires: false };
  expect(imported.lost).toEqual([
    { ...account, kind: "user", name: "u" },
    { ...account, kind: "api_key", name: expect.stringContaining("tab") },
    { ...account, kind: "tsig_key", name: "key.example" },
    { ...account, kind: "zone", name: "example.com" },
    { ...account, kind: "deleted_zone", name: "gone.example" },
  ]);
  const row = await target.db.selectFrom("api_key").selectAll().executeTakeFirstOrThrow();
  const drawn = here.open(row.secret!, `api_key.secret:${key_id}`);
  expect(drawn).toMatch(/^\w{27}$/);
  const claims = await target.db.selectFrom("key_claim").selectAll().execute();
  expect(claims).toEqual([{ hash: here.hash(drawn), account_id, key_id, secret_id: null }]);
  const signing = await target.db.selectFrom("tsig_key").selectAll().executeTakeFirstOrThrow();
  const secret = here.open(signing.secret, `tsig_key.secret:${account_id}:${signing.name}`);
  expect(Buffer.from(secret, "base64")).toHaveLength(32);
  const zone = await target.db.selectFrom("zone").selectAll().executeTakeFirstOrThrow();
  expect(here.open(zone.secondary_key!, `zone.secondary_key:${zone.id}`)).not.toBe(keyString);
  const factor = await target.db.selectFrom("user_credential").selectAll().executeTakeFirstOrThrow();
  expect(here.open(factor.totp!, "user_credential.totp:u")).toMatch(/^[A-Z2-7]{32}$/);
  const replies = await target.db.selectFrom("idempotency").select("key").execute();
  expect(replies).toEqual([{ key: "plain" }]);
});

test("the order of changes continues after an import", async () => {
  const target = await empty();
  await load(target.url);
  const next = sql<{ seq: number }>`select nextval('change_seq') as seq`;
  const last = await target.db
    .selectFrom("change")
    .select((eb) => eb.fn.max("seq").as("seq"))
    .executeTakeFirstOrThrow();
  expect((await next.execute(target.db)).rows[0]!.seq).toBeGreaterThan(last.seq);
});

test("a store is refused and not changed, also without rows", async () => {
  const before = await contentOf(source);
  await expect(load((await testStore()).url)).rejects.toThrow("is not empty: it has the tables of a store");
  await expect(load(source.url)).rejects.toThrow("is not empty: it has the tables of a store");
  expect(await contentOf(source)).toEqual(before);
});

test("a damaged file is refused, and nothing in it is imported", async () => {
  const target = await emptyDatabase();
  const whole = readFileSync(file);
  const plain = gunzipSync(whole);
  const altered = Buffer.from(plain);
  altered[altered.indexOf("h7.example.com")] = "x".charCodeAt(0);
  const damaged = {
    "it ends too early": gzipSync(plain.subarray(0, plain.length - 300)),
    "its end is missing|ends too early": gzipSync(plain.subarray(0, plain.lastIndexOf('{"end"'))),
    damaged: whole.subarray(0, whole.length / 2),
    "checksum of": gzipSync(altered),
    "not a file that": gzipSync("something else\n"),
    "is not a file that `fairlead": Buffer.from("id,action\n"),
    "this is not a file that": Buffer.of(),
    "wrote the file, in format 9": gzipSync('{"fairlead_store":9}\n'),
    "unreleased version": gzipSync('{"fairlead_store":1,"migrations":["0001_start","0002_later"]}\n'),
    "Fairlead 7.8.9 \\(schema 9999_later\\) wrote.*Fairlead 0.1.0 \\(schema 00": gzipSync(
      '{"fairlead_store":1,"version":"7.8.9","migrations":["0001_schema","9999_later"]}\n',
    ),
  };
  for (const [message, octets] of Object.entries(damaged)) {
    const path = join(directory, "damaged.gz");
    writeFileSync(path, octets);
    await expect(load(target, path)).rejects.toThrow(new RegExp(message));
  }
  await expect(load(target, join(directory, "none"))).rejects.toThrow("no such file");
  expect(await tablesOf(target)).toEqual([]);
});

/** The tables, types and functions of a database, which a failed import does not leave behind either. */
async function tablesOf(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace
     union all select proname from pg_proc where pronamespace = 'public'::regnamespace`,
  );
  await client.end();
  return rows.map(({ name }) => name);
}

/**
 * Tables that are not exported. Sessions and password links depend on the master key, and end. `key_claim` also depends
 * on it, and is rebuilt from the keys. Followers, reporters and leases belong to processes, and batches of live values
 * and of digests to connected edges. Attention is found again, and the last pushes and watched
 * queries are kept for a short time only.
 */
const excludedTables: readonly (keyof Tables)[] = [
  "control_process",
  "user_token",
  "user_session",
  "attempt",
  "key_claim",
  "account_cells",
  "recent_push",
  "attention",
  "zone_lint",
  "tail_watch",
  "tail_query",
  "live_change",
  "deferred_feeds",
  "digest_batch",
  "epoch",
  "follower",
  "lease",
  "usage_reporter",
];

test("every table of the schema is exported, or excluded on purpose", async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_name not like 'kysely%'`.execute(source.db);
  expect(rows.map((row) => row.name).toSorted()).toEqual([...exportedTables, ...excludedTables].toSorted());
  expect(Object.keys(sealedColumns).every((table) => exportedTables.includes(table as "api_key"))).toBe(true);
});

test("rotation seals everything with the newest key", async () => {
  const store = await testStore();
  const [older, newer] = [randomBytes(32), randomBytes(32)];
  const filled = await fill(store, secretsFrom([older]));
  await rotate(store, secretsFrom([newer, older]));
  const alone = secretsFrom([newer]);
  const row = await store.db.selectFrom("api_key").select("secret").executeTakeFirstOrThrow();
  expect(alone.open(row.secret!, `api_key.secret:${filled.key_id}`)).toBe(keyString);
  const signing = await store.db.selectFrom("tsig_key").selectAll().executeTakeFirstOrThrow();
  expect(alone.open(signing.secret, `tsig_key.secret:${signing.account_id}:${signing.name}`)).toBe(keyString);
  const zone = await store.db.selectFrom("zone").selectAll().executeTakeFirstOrThrow();
  expect(alone.open(zone.secondary_key!, `zone.secondary_key:${zone.id}`)).toBe(keyString);
  const gone = await store.db.selectFrom("deleted_zone").selectAll().executeTakeFirstOrThrow();
  expect(gone.fields.zone).toBe("gone.example");
  expect(alone.open(gone.fields.secondary_key!, `zone.secondary_key:${gone.id}`)).toBe(keyString);
  const replies = await store.db.selectFrom("idempotency").select("body").execute();
  expect(replies.filter(({ body }) => sealedBy(body) === alone.keyId)).toHaveLength(1);
  const claims = await store.db.selectFrom("key_claim").select(["hash", "secret_id"]).execute();
  expect(claims).toHaveLength(2);
  expect(claims).toContainEqual({ hash: alone.hash(keyString), secret_id: null });
  expect(claims).toContainEqual({ hash: alone.hash(rotatedString), secret_id: "s" });
});

test("the text of COPY is read and written without changes, wherever its chunks are split", async () => {
  const columns = ["a", "b", "c"];
  const value = fc.option(fc.string({ unit: fc.constantFrom("\t", "\n", "\r", "\\", "N", "b", "é", "\v", "🌍", ".") }));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(value, value, value)), fc.integer({ min: 1, max: 7 }), async (rows, size) => {
      const texts = rows.map(([a, b, c]) => printRow({ a, b, c }, columns));
      const octets = Buffer.from(texts.join(""));
      const read: string[] = [];
      for await (const lines of linesOf(cut(octets, size))) read.push(...lines);
      expect(read).toEqual(texts);
      expect(read.map((line) => parseRow(line, columns))).toEqual(rows.map(([a, b, c]) => ({ a, b, c })));
    }),
  );
});

async function* cut(octets: Buffer, size: number) {
  for (let at = 0; at < octets.length; at += size) yield octets.subarray(at, at + size);
}
