/** Reports of queries in the store: added once, under the account that has the zone. */
import { afterAll, expect, test } from "vitest";
import { testStore } from "../../../test/store/store.ts";
import { insertAccount } from "../../../test/store/writes.ts";
import { newId } from "../../lib/ids.ts";
import type { UsageReport, UsageRow } from "../usage.ts";
import { UsageConnection } from "./usage.ts";

const store = await testStore();
const carrier = new UsageConnection(store.url);
afterAll(() => carrier.close());

const row = (zone: string, queries: number): UsageRow => ({ zone, domain: `www.${zone}`, type: "A", queries });
const boot = newId();
const report = (sequence: number, at: number, rows: readonly UsageRow[]): UsageReport => ({
  edge: "edge",
  boot,
  sequence,
  at,
  rows,
  mix: [],
  missing: [],
});

async function zoneOf(account_id: string): Promise<string> {
  const zone = `${newId()}.example`;
  const claim = { view: "default", fqdn: zone, registrable: zone, account_id, zone_id: newId() };
  await store.db.insertInto("zone_claim").values(claim).execute();
  return zone;
}

const stored = (account_id: string) =>
  store.db
    .selectFrom("usage")
    .select(["span", "at", "queries"])
    .where("account_id", "=", account_id)
    .orderBy("span")
    .orderBy("at")
    .execute();

test("reports are added up by minute and by hour, each exactly once, in whatever order they are repeated", async () => {
  const account_id = await insertAccount(store);
  const zone = await zoneOf(account_id);
  const [first, second] = [report(1, 7205, [row(zone, 3)]), report(2, 7265, [row(zone, 4)])];
  for (const sent of [first, first, second, first, second]) await carrier.send(sent);
  expect(await stored(account_id)).toEqual([
    { span: 60, at: 7200, queries: 3 },
    { span: 60, at: 7260, queries: 4 },
    { span: 3600, at: 7200, queries: 7 },
    { span: 86_400, at: 0, queries: 7 },
  ]);
});

test("queries by kind and for missing names are added up under the account that has the zone, once", async () => {
  const account_id = await insertAccount(store);
  const zone = await zoneOf(account_id);
  const kind = { type: "A", rcode: "NXDOMAIN", transport: "udp" };
  const own = newId();
  const sent = (sequence: number, at: number) => ({
    ...report(sequence, at, []),
    boot: own,
    mix: [
      { zone, ...kind, queries: 3 },
      { zone: "gone.example", ...kind, queries: 5 },
    ],
    missing: [
      { zone, domain: `x.${zone}`, queries: 2 },
      { zone: "gone.example", domain: "x.gone.example", queries: 5 },
    ],
  });
  for (const one of [sent(1, 7205), sent(1, 7205), sent(2, 7265)]) await carrier.send(one);
  const mix = store.db.selectFrom("usage_mix").select(["span", "at", "type", "rcode", "transport", "queries"]);
  expect(await mix.where("account_id", "=", account_id).orderBy("span").orderBy("at").execute()).toEqual([
    { span: 60, at: 7200, ...kind, queries: 3 },
    { span: 60, at: 7260, ...kind, queries: 3 },
    { span: 3600, at: 7200, ...kind, queries: 6 },
    { span: 86_400, at: 0, ...kind, queries: 6 },
  ]);
  const missing = store.db.selectFrom("usage_missing").select(["at", "domain", "queries"]);
  expect(await missing.where("account_id", "=", account_id).execute()).toEqual([
    { at: 7200, domain: `x.${zone}`, queries: 4 },
  ]);
});

test("one report that several connections send at once is added once", async () => {
  const account_id = await insertAccount(store);
  const sent = report(3, 7205, [row(await zoneOf(account_id), 3)]);
  const others = Array.from({ length: 4 }, () => new UsageConnection(store.url));
  await Promise.all(others.map((other) => other.send(sent)));
  for (const other of others) other.close();
  expect((await stored(account_id)).map(({ queries }) => queries)).toEqual([3, 3, 3]);
});

test("queries for a deleted zone are not stored", async () => {
  const account_id = await insertAccount(store);
  const zone = await zoneOf(account_id);
  await carrier.send(report(4, 7205, [row("gone.example", 5), row(zone, 1)]));
  expect((await stored(account_id)).map(({ queries }) => queries)).toEqual([1, 1, 1]);
});

test("edges that report the same records at once do not block each other", async () => {
  const account_id = await insertAccount(store);
  const zones = await Promise.all(Array.from({ length: 20 }, () => zoneOf(account_id)));
  const edges = Array.from({ length: 4 }, () => ({ boot: newId(), carrier: new UsageConnection(store.url) }));
  await Promise.all(
    edges.map(async ({ boot, carrier }, edge) => {
      const rows = zones.map((zone) => row(zone, 1));
      if (edge % 2 === 1) rows.reverse();
      for (let sequence = 1; sequence <= 5; sequence++) await carrier.send({ ...report(sequence, 7205, rows), boot });
      carrier.close();
    }),
  );
  expect((await stored(account_id)).reduce((sum, { queries }) => sum + queries, 0)).toBe(3 * 20 * 4 * 5);
});
