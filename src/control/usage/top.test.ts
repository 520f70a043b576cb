/** The zones and records with the most queries. */
import { afterAll, expect, test } from "vitest";
import { fakeClock } from "../../../test/machine/clock.ts";
import { type Client, type Fields, startApi } from "../../../test/service/api.ts";
import { testDatabase } from "../../../test/store/store.ts";
import { UsageConnection } from "../../sync/postgres/usage.ts";
import type { UsageRow } from "../../sync/usage.ts";

const now = 22_000 * 86_400 + 12 * 3600 + 30;
const storeUrl = await testDatabase();
const api = await startApi({ clock: fakeClock(now * 1000), storeUrl });
for (const zone of ["a.example", "b.example", "c.example"]) {
  await api.must("PUT", `zones/${zone}`, {});
  for (const label of ["www", "s"]) {
    await api.must("PUT", `zones/${zone}/${label}.${zone}/A`, { answers: [{ answer: ["192.0.2.1"] }] });
  }
}
const row = (zone: string, label: string, queries: number): UsageRow =>
  label === "" ? { zone, domain: "", type: "", queries } : { zone, domain: `${label}.${zone}`, type: "A", queries };
const carrier = new UsageConnection(storeUrl);
afterAll(() => carrier.close());
const send = (sequence: number, at: number, ...rows: UsageRow[]) =>
  carrier.send({ edge: "edge", boot: "boot", sequence, at, rows, mix: [], missing: [] });
await send(1, now - 2 * 86_400, row("a.example", "www", 1000));
await send(2, now - 7200, row("b.example", "www", 50), row("a.example", "s", 5));
await send(3, now - 5, row("b.example", "www", 50), row("a.example", "www", 20), row("a.example", "", 7));

const top = (path: string, by: Client = api) => by.must<Fields>("GET", `stats/top${path}`);

test("zones are listed by their queries in the period, without those that had none", async () => {
  expect(await top("")).toEqual({
    ...{ period: "24h", since: now - 30 - 23 * 3600, queries: 132 },
    zones: [
      { zone: "b.example", queries: 100 },
      { zone: "a.example", queries: 32 },
    ],
  });
  expect((await top("?period=30d&limit=1"))["zones"]).toEqual([{ zone: "a.example", queries: 1032 }]);
  expect(await top("?period=1h")).toMatchObject({ queries: 77 });
});

test("records of a zone are listed by their queries, and those without a record apart", async () => {
  expect(await top("/a.example")).toEqual({
    ...{ zone: "a.example", period: "24h", since: now - 30 - 23 * 3600, queries: 32, without_record: 7 },
    records: [
      { domain: "www.a.example", rectype: "A", queries: 20 },
      { domain: "s.a.example", rectype: "A", queries: 5 },
    ],
  });
  expect((await api.call("GET", "stats/top/none.example")).body["message"]).toBe("zone not found");
});

test("a caller sees the zones and records that it may see", async () => {
  const one = await api.limited({
    dns: { view_zones: true, zones_allow_by_default: false, zones_allow: ["a.example"] },
  });
  expect(await top("", one)).toMatchObject({ queries: 32, zones: [{ zone: "a.example", queries: 32 }] });
  expect((await one.call("GET", "stats/top/b.example")).status).toBe(403);
  const rule = { type: "A", domain: "www.a.example", zone: "a.example", include_subdomains: false };
  const part = await api.limited({ dns: { view_zones: true, records_deny: [rule] } });
  expect(await top("/a.example", part)).toMatchObject({
    ...{ queries: 5, without_record: null },
    records: [{ domain: "s.a.example", queries: 5 }],
  });
  expect(await top("", await api.stranger())).toMatchObject({ queries: 0, zones: [] });
});
