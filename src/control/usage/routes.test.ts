/** Statistics over HTTP: shapes, sums, and the limits of what a caller may see. */
import { afterAll, describe, expect, test } from "vitest";
import { fakeClock } from "../../../test/machine/clock.ts";
import { type Client, type Fields, startApi } from "../../../test/service/api.ts";
import { testDatabase } from "../../../test/store/store.ts";
import { UsageConnection } from "../../sync/postgres/usage.ts";
import type { UsageRow } from "../../sync/usage.ts";
import { trimUsage } from "./store.ts";

/** Half a minute after noon. */
const now = 22_000 * 86_400 + 12 * 3600 + 30;
const storeUrl = await testDatabase();
const api = await startApi({ clock: fakeClock(now * 1000), storeUrl });
for (const zone of ["a.example", "b.example"]) {
  await api.must("PUT", `zones/${zone}`, {});
  await api.must("PUT", `zones/${zone}/www.${zone}/A`, { answers: [{ answer: ["192.0.2.1"] }] });
}
const steered = { answers: [{ answer: ["192.0.2.1"] }], filters: [{ filter: "select_first_n", config: { N: 1 } }] };
await api.must("PUT", "zones/a.example/s.a.example/A", steered);

const row = (zone: string, label: string, queries: number): UsageRow =>
  label === "" ? { zone, domain: "", type: "", queries } : { zone, domain: `${label}.${zone}`, type: "A", queries };
const carrier = new UsageConnection(storeUrl);
afterAll(() => carrier.close());
const send = (sequence: number, at: number, ...rows: UsageRow[]) =>
  carrier.send({ edge: "edge", boot: "boot", sequence, at, rows, mix: [], missing: [] });
await send(1, now - 3600, row("a.example", "www", 100));
await send(2, now - 5, row("a.example", "www", 9), row("a.example", "s", 18), row("a.example", "", 27));
await send(3, now - 5, row("b.example", "www", 36));

const usage = (path: string, client: Client = api) => client.must<Fields[]>("GET", `stats/usage${path}`);
const qps = async (path: string, client: Client = api) => (await client.must("GET", `stats/qps${path}`))["qps"];
const queries = async (path: string, client?: Client) =>
  (await usage(path, client)).map((element) => element["queries"]);
const steps = (points: Record<number, number>, first: number, step: number, count: number) =>
  Array.from({ length: count }, (_, n) => [first + n * step, points[first + n * step] ?? 0]);

describe("queries per second", () => {
  test("are measured since the start of the previous minute", async () => {
    expect(await qps("")).toBe(1);
    expect(await qps("/a.example/")).toBe(0.6);
    expect(await qps("/a.example/s.a.example/A")).toBe(0.2);
    expect(await qps("?networks=0")).toBe(1);
    expect(await qps("?networks=7")).toBe(0);
  });

  test("of an unknown zone or record are a 404 that names it", async () => {
    const messageAt = async (path: string) => (await api.call("GET", `stats/${path}`)).body["message"];
    expect(await messageAt("qps/none.example")).toBe("zone not found");
    expect(await messageAt("usage/none.example")).toBe("zone not found");
    expect(await messageAt("usage/a.example/none.a.example/A")).toBe("record not found");
  });
});

describe("usage", () => {
  const noon = now - 30;

  test("has a different shape for an account, a zone and a record", async () => {
    const graph = steps({ [noon - 3600]: 100, [noon]: 90 }, noon - 23 * 3600, 3600, 24);
    expect(await usage("")).toEqual([{ jobs: 0, zones: 2, records: 5, feeds: 0, period: "24h", queries: 190, graph }]);
    expect(await usage("/b.example?period=30d")).toMatchObject([
      { records: 2, zone: "b.example", period: "30d", queries: 36 },
    ]);
    expect(await usage("/b.example/b.example/NS")).toEqual([
      { domain: "b.example", zone: "b.example", rectype: "NS", period: "24h", queries: 0, graph: [] },
    ]);
  });

  test("of an hour has steps of half an hour", async () => {
    const [{ graph } = {}] = await usage("/a.example?period=1h");
    expect(graph).toEqual([
      [noon - 1800, 0],
      [noon, 54],
    ]);
  });

  test("is listed by zone, by record and by tier on request", async () => {
    expect(await usage("?expand=True")).toMatchObject([
      { zone: "a.example", records: 3, queries: 154 },
      { zone: "b.example", records: 2, queries: 36 },
    ]);
    expect(await usage("/a.example?expand=true")).toMatchObject([
      { domain: "s.a.example", rectype: "A", queries: 18 },
      { domain: "www.a.example", rectype: "A", queries: 109 },
    ]);
    expect((await usage("/a.example?by_tier=True")).map(({ tier, queries }) => [tier, queries])).toEqual([
      [1, 136],
      [2, 18],
    ]);
    expect(await queries("?expand=true&by_tier=true&aggregate=true")).toEqual([190]);
  });

  test("includes only what the caller may see, and nothing of other accounts", async () => {
    const zones = await api.limited({
      dns: { view_zones: true, zones_allow_by_default: true, zones_deny: ["b.example"] },
    });
    expect(await usage("", zones)).toMatchObject([{ zones: 1, records: 3, queries: 154 }]);
    expect(await queries("?expand=true", zones)).toEqual([154]);
    const rule = { zone: "a.example", domain: "s.a.example", type: "A", include_subdomains: false };
    const records = await api.limited({
      dns: { view_zones: true, zones_allow_by_default: true, records_allow: [rule] },
    });
    expect(await usage("/a.example", records)).toMatchObject([{ records: 1, queries: 18 }]);
    expect(await queries("", records)).toEqual([54]);
    expect(await qps("", records)).toBe(0.6);
    expect((await records.call("GET", "stats/usage/a.example/www.a.example/A")).status).toBe(403);
    const stranger = await api.stranger();
    expect(await queries("", stranger)).toEqual([0]);
    expect((await stranger.call("GET", "stats/qps/a.example")).status).toBe(404);
  });

  test("is kept for the longest period", async () => {
    await trimUsage(api.store.db, now);
    expect(await queries("")).toEqual([190]);
    await trimUsage(api.store.db, now + 36 * 86_400);
    expect(await queries("")).toEqual([0]);
  });

  test("is never negative, even if samples overestimate the records", async () => {
    await api.must("PUT", "zones/c.example", {});
    const sampled = { answers: [{ answer: ["192.0.2.1"] }], filters: steered.filters };
    await api.must("PUT", "zones/c.example/s.c.example/A", sampled);
    await send(4, now - 5, row("c.example", "s", 64), row("c.example", "", -4));
    expect(await queries("/c.example")).toEqual([60]);
    const tiers = await usage("/c.example?by_tier=true&period=1h");
    expect(tiers.map(({ tier, queries, graph }) => [tier, queries, (graph as number[][]).at(-1)![1]])).toEqual([
      [1, 0, 0],
      [2, 64, 64],
    ]);
  });
});
