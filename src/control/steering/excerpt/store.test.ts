/** The search for a record below a name: by an index, and with escaped dots. */
import { sql } from "kysely";
import { expect, test } from "vitest";
import { testStore } from "../../../../test/store/store.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { recordBelow } from "./store.ts";

const { db } = await testStore();
// the function reads only these fields
const zone = { account_id: "a", id: "z" } as ZoneRow;

const insert = (select: ReturnType<typeof sql>) =>
  sql`
  insert into record (account_id, zone_id, domain, type, id, ttl, answers, created_at, updated_at)
  select 'a', 'z', domain, 'A', domain, 60, '[]', 0, 0 from (${select}) as given (domain)`.execute(db);
const names = (...list: string[]) => insert(sql`select unnest(${list}::text[])`);
const below = async (name: string) => (await recordBelow(db, zone, name))?.domain;

test("names below a name are found at any depth, and no others", async () => {
  await names("a.b.c.near.example", "b-x.near.example", "xb.near.example", "b.near.example.com");
  expect(await below("b.c.near.example")).toBe("a.b.c.near.example");
  expect(await below("c.near.example")).toBe("a.b.c.near.example");
  for (const name of ["a.b.c.near.example", "x.near.example", "b.near.example", "ear.example"]) {
    expect([name, await below(name)]).toEqual([name, undefined]);
  }
});

test("names below a name of two labels are found, too", async () => {
  await names("a.two.top", "two.toptwo");
  expect(await below("two.top")).toBe("a.two.top");
  expect(await below("wo.top")).toBeUndefined();
});

test("a dot inside a label leads to no name below", async () => {
  await names(String.raw`x\.y.dots.example`, String.raw`p\\.q.dots.example`, String.raw`a.r\.s.t.dots.example`);
  expect(await below("y.dots.example")).toBeUndefined();
  expect(await below("s.t.dots.example")).toBeUndefined();
  expect(await below("q.dots.example")).toBe(String.raw`p\\.q.dots.example`);
  expect(await below("t.dots.example")).toBe(String.raw`a.r\.s.t.dots.example`);
  expect(await below(String.raw`r\.s.t.dots.example`)).toBe(String.raw`a.r\.s.t.dots.example`);
});

test("a name without names below is found to have none without reading the zone", async () => {
  await insert(sql`select 'h' || n || '.large.example' from generate_series(1, 20000) as n`);
  const read = await db.transaction().execute(async (db) => {
    const before = await rowsRead(db);
    expect(await recordBelow(db, zone, "none.large.example")).toBeUndefined();
    expect(await recordBelow(db, zone, "h7.large.example")).toBeUndefined();
    return (await rowsRead(db)) - before;
  });
  expect(read).toBeLessThan(100);
});

/** The rows and index entries of records that this connection has read. */
async function rowsRead(on: typeof db): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as read
    from pg_stat_xact_user_tables where relname = 'record'`.execute(on);
  return Number(rows[0]?.read);
}
