/** Watching the queries for a zone: who may, how many zones, and what edges are told. */
import { afterAll, expect, test } from "vitest";
import { fakeClock } from "../../../../test/machine/clock.ts";
import { type Fields, startApi } from "../../../../test/service/api.ts";
import { testDatabase } from "../../../../test/store/store.ts";
import { UsageConnection } from "../../../sync/postgres/usage.ts";
import type { TailQuery } from "../../../sync/usage.ts";

const storeUrl = await testDatabase();
const clock = fakeClock(Date.now());
const api = await startApi({ clock, storeUrl });
for (let n = 0; n < 6; n++) await api.must("PUT", `zones/z${n}.example`, {});
const edge = new UsageConnection(storeUrl);
afterAll(() => edge.close());

const seen = (name: string, zone = "z0.example", at = Date.now()): TailQuery => ({
  ...{ zone, at, name: `${name}.${zone}`, type: "A", rcode: "NOERROR", transport: "udp", client: "192.0.2.0/24" },
  ...{ country: "DE", asn: 64500 },
});
const namesOf = ({ queries }: Fields) => (queries as Fields[]).map(({ name }) => name);
const tail = (path: string, by = api as Pick<typeof api, "must">) => by.must<Fields>("GET", `stats/tail/${path}`);

test("a zone is watched while somebody asks, and its queries come in order, each once", async () => {
  expect(await edge.exchange([])).toEqual([]);
  expect(await tail("z0.example")).toEqual({ zone: "z0.example", last: 0, queries: [] });
  expect(await edge.exchange([seen("a"), seen("b"), seen("x", "nobody.example")])).toEqual(["z0.example"]);
  const first = await tail("z0.example");
  expect(namesOf(first)).toEqual(["a.z0.example", "b.z0.example"]);
  expect((first["queries"] as Fields[])[0]).toEqual({
    ...{ at: expect.any(Number), name: "a.z0.example", type: "A", rcode: "NOERROR", transport: "udp" },
    ...{ client: "192.0.2.0/24", country: "DE", asn: 64500 },
  });
  await edge.exchange([seen("c")]);
  const next = await tail(`z0.example?after=${first["last"]}`);
  expect(namesOf(next)).toEqual(["c.z0.example"]);
  expect(namesOf(await tail(`z0.example?after=${next["last"]}`))).toEqual([]);
});

test("queries are kept for a minute", async () => {
  await edge.exchange([seen("old", "z0.example", Date.now() - 70_000)]);
  await edge.exchange([]);
  expect(namesOf(await tail("z0.example"))).not.toContain("old.z0.example");
});

test("an account watches five zones at once; another account is served meanwhile", async () => {
  for (let n = 0; n < 5; n++) await tail(`z${n}.example`);
  const refused = await api.call("GET", "stats/tail/z5.example");
  expect([refused.status, refused.body["message"]]).toEqual([
    429,
    "5 other zones of this account are watched: stop watching one, and try again",
  ]);
  expect((await api.call("GET", "stats/tail/z4.example")).status).toBe(200);
  const stranger = await api.stranger();
  await stranger.must("PUT", "zones/other.example", {});
  expect(await tail("other.example", stranger)).toMatchObject({ queries: [] });
  expect(await edge.exchange([])).toContain("other.example");
  expect((await stranger.call("GET", "stats/tail/z0.example")).status).toBe(404);
});

test("a caller who may not see all records sees nothing, and watches nothing", async () => {
  const rule = { zone: "z5.example", domain: "s.z5.example", type: "A", include_subdomains: false };
  const part = await api.limited({ dns: { view_zones: true, zones_allow_by_default: true, records_deny: [rule] } });
  await edge.exchange([seen("a", "z5.example")]);
  expect(await tail("z5.example", part)).toMatchObject({ queries: [] });
  expect(await edge.exchange([])).not.toContain("z5.example");
});
