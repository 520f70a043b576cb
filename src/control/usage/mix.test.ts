/** Answered queries by type, RCODE and transport, and names that do not exist. */
import { afterAll, expect, test } from "vitest";
import { fakeClock } from "../../../test/machine/clock.ts";
import { type Client, type Fields, startApi } from "../../../test/service/api.ts";
import { testDatabase } from "../../../test/store/store.ts";
import { UsageConnection } from "../../sync/postgres/usage.ts";
import { trimUsage } from "./store.ts";

const now = 22_000 * 86_400 + 12 * 3600 + 30;
const noon = now - 30;
const storeUrl = await testDatabase();
const api = await startApi({ clock: fakeClock(now * 1000), storeUrl });
for (const zone of ["a.example", "b.example"]) await api.must("PUT", `zones/${zone}`, {});
const carrier = new UsageConnection(storeUrl);
afterAll(() => carrier.close());

const mixed = (zone: string, kind: string, queries: number) => {
  const [type = "", rcode = "", transport = ""] = kind.split(" ");
  return { zone, type, rcode, transport, queries };
};
const asked = (label: string, queries: number) => ({ zone: "a.example", domain: `${label}.a.example`, queries });
const send = (sequence: number, at: number, mix: ReturnType<typeof mixed>[], missing: ReturnType<typeof asked>[]) =>
  carrier.send({ edge: "edge", boot: "boot", sequence, at, rows: [], mix, missing });
await send(1, now - 2 * 86_400, [mixed("a.example", "A NOERROR udp", 1000)], [asked("old", 50)]);
await send(2, now - 3600, [mixed("a.example", "A NOERROR udp", 30)], [asked("typo", 4)]);
await send(
  3,
  now - 5,
  [
    mixed("a.example", "A NOERROR udp", 10),
    mixed("a.example", "AAAA NXDOMAIN tls", 5),
    mixed("b.example", "A NOERROR tcp", 7),
  ],
  [asked("typo", 3), asked("ftp", 1)],
);

const read = (path: string, by: Client = api) => by.must<Fields>("GET", `stats/${path}`);

test("queries of a zone are added up by type, by RCODE and by transport, the most first", async () => {
  const graph = (points: Record<number, number>) =>
    Array.from({ length: 24 }, (_, n) => [noon - (23 - n) * 3600, points[noon - (23 - n) * 3600] ?? 0]);
  const good = { queries: 40, graph: graph({ [noon - 3600]: 30, [noon]: 10 }) };
  const bad = { queries: 5, graph: graph({ [noon]: 5 }) };
  expect(await read("mix/a.example")).toEqual({
    ...{ period: "24h", since: noon - 23 * 3600, queries: 45 },
    types: [
      { type: "A", ...good },
      { type: "AAAA", ...bad },
    ],
    rcodes: [
      { rcode: "NOERROR", ...good },
      { rcode: "NXDOMAIN", ...bad },
    ],
    transports: [
      { transport: "udp", ...good },
      { transport: "tls", ...bad },
    ],
  });
  expect(await read("mix/a.example?period=1h")).toMatchObject({ queries: 15 });
  expect(await read("mix/a.example?period=90d")).toMatchObject({ queries: 1045 });
});

test("an account has the sum over its zones; a caller, over the zones that it sees wholly", async () => {
  expect(await read("mix")).toMatchObject({ queries: 52, transports: [{ transport: "udp" }, { queries: 7 }, {}] });
  const zones = await api.limited({
    dns: { view_zones: true, zones_allow_by_default: true, zones_deny: ["b.example"] },
  });
  expect(await read("mix", zones)).toMatchObject({ queries: 45 });
  const rule = { zone: "a.example", domain: "s.a.example", type: "A", include_subdomains: false };
  const part = await api.limited({ dns: { view_zones: true, zones_allow_by_default: true, records_deny: [rule] } });
  expect(await read("mix/a.example", part)).toMatchObject({ queries: 0, types: [], rcodes: [], transports: [] });
  expect(await read("missing/a.example", part)).toMatchObject({ names: [] });
  expect((await (await api.stranger()).call("GET", "stats/mix/a.example")).status).toBe(404);
});

test("names that do not exist are listed by their queries", async () => {
  expect(await read("missing/a.example")).toEqual({
    ...{ zone: "a.example", period: "24h", since: noon - 23 * 3600 },
    names: [
      { domain: "typo.a.example", queries: 7 },
      { domain: "ftp.a.example", queries: 1 },
    ],
  });
  expect((await read("missing/a.example?period=30d&limit=1"))["names"]).toEqual([
    { domain: "old.a.example", queries: 50 },
  ]);
});

test("of the names that strangers make up, the most asked of each hour stay", async () => {
  const many = Array.from({ length: 300 }, (_, n) => asked(`x${n}`, n + 10));
  await send(4, now - 5, [], many);
  await trimUsage(api.store.db, now);
  const { names } = await api.must<{ names: Fields[] }>("GET", "stats/missing/a.example?limit=1000");
  expect(names.map(({ queries }) => queries)).toEqual([...Array.from({ length: 100 }, (_, n) => 309 - n), 4]);
});
