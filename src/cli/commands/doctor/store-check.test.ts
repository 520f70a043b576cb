/** Checks of the store, its edges and the clock, against stores with real faults. */
import { sql } from "kysely";
import { expect, test } from "vitest";
import { emptyDatabase, type TestStore, testStore } from "../../../../test/store/store.ts";
import type { Finding } from "../../terminal/finding.ts";
import { checkClock } from "./clock.ts";
import { checkEdges } from "./edges.ts";
import { ConnectedStore, connectedStore } from "./store.ts";
import { checkStore } from "./store-check.ts";

const here = { mayBeAlone: true, isHeld: false, supervisor: undefined };
const faults = (findings: readonly Finding[]) =>
  findings.filter(({ state }) => state !== "ok").map(({ state, text }) => [state, text]);

/** The findings about a store of one's own, besides the number of its connections, which other tests use. */
async function examine(url: string): Promise<Finding[]> {
  const store = ConnectedStore.open(url, false);
  const found = await checkStore({ data: "/nonexistent", databaseUrl: url }, store, here);
  await (await store).close();
  return found.filter(({ text }) => !/connections/.test(text));
}

async function edgesOf({ url }: TestStore): Promise<Finding[]> {
  const store = await ConnectedStore.open(url, false);
  const found = await checkEdges(Promise.resolve(store));
  await store.close();
  return found;
}

test("a store of this version is ok, and keeps no trace of the trial write", async () => {
  const store = await testStore();
  const found = await examine(store.url);
  expect(faults(found)).toEqual([]);
  expect(found.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^PostgreSQL \d+.* can be reached$/),
    "the schema is that of this version",
    "the store takes writes",
    "no standby is connected",
    "each session has a connection of its own",
  ]);
  const { rows } = await sql`select from lease where name = 'doctor'`.execute(store.db);
  expect(rows).toEqual([]);
});

test("an empty database is ok", async () => {
  expect(faults(await examine(await emptyDatabase()))).toEqual([]);
});

test("a store that cannot be reached is failed", async () => {
  const config = { data: "/nonexistent", databaseUrl: "postgres://127.0.0.1:1/none" };
  const connecting = connectedStore(config);
  const found = await checkStore(config, connecting, here);
  expect(found).toMatchObject([{ state: "failed", text: expect.stringContaining("ECONNREFUSED") }]);
  expect(await checkEdges(connecting)).toEqual([]);
});

test("a read-only database is failed", async () => {
  const { url, db } = await testStore();
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  await sql`alter database ${sql.id(rows[0]!.name)} set default_transaction_read_only = on`.execute(db);
  expect(faults(await examine(url))).toEqual([["failed", "transactions are read-only"]]);
});

test("a schema of another version is failed, and an older one a warning", async () => {
  const { url, db } = await testStore();
  await sql`delete from kysely_migration where name = (select max(name) from kysely_migration)`.execute(db);
  expect(faults(await examine(url))).toEqual([["warning", "the schema lacks 1 migrations of this version"]]);
  await sql`insert into kysely_migration (name, timestamp) values ('9999_future', '')`.execute(db);
  expect(faults(await examine(url))).toEqual([["failed", "another version made the schema (9999_future)"]]);
});

test("edges that are away or behind, and none at all, are warnings", async () => {
  const store = await testStore();
  const now = Math.floor(Date.now() / 1000);
  expect(faults(await edgesOf(store))).toEqual([["warning", "no edge follows the store"]]);
  await store.db
    .insertInto("follower")
    .values([
      { id: "away", revision: 0, seen_at: now - 500 },
      { id: "here", revision: 0, seen_at: now },
    ])
    .execute();
  expect(faults(await edgesOf(store))).toEqual([
    ["warning", expect.stringMatching(/^the edge away has not reported for 50\d s, and lacks 0 revisions$/)],
  ]);
});

test("the clock agrees with a store on the same machine", async () => {
  const { url } = await testStore();
  const store = await ConnectedStore.open(url, false);
  expect((await checkClock(Promise.resolve(store))).at(-1)).toMatchObject({
    state: "ok",
    text: "the clock agrees with that of the store",
  });
  await store.close();
});
