/** Changes of an account, a zone and a record, as marks on the time axis. */
import { describe, expect, test } from "vitest";
import { fakeClock } from "../../../test/machine/clock.ts";
import { type Client, type Fields, startApi } from "../../../test/service/api.ts";
import { nextPath } from "../../../test/service/client.ts";

// near the time at which ids are made
const start = Math.floor(Date.now() / 1000) - 3600;
const clock = fakeClock(start * 1000);
const api = await startApi({ clock, deletionGuard: 100 });
const answers = (last: number) => ({ answers: [{ answer: [`192.0.2.${last}`] }] });
const later = () => clock.advance(60_000);

await api.must("PUT", "zones/a.example", {});
later();
await api.must("PUT", "zones/a.example/www.a.example/A", answers(1));
later();
await api.must("PUT", "zones/b.example", {});
later();
await api.must("POST", "zones/a.example/www.a.example/A", answers(2));
later();
await api.must("POST", "zones/a.example/records", {
  put: [1, 2, 3, 4, 5, 6].map((n) => ({ domain: `h${n}.a.example`, type: "A", ...answers(n) })),
});
later();
await api.must("POST", "zones/a.example", { ttl: 77 });

const marks = (path = "", by: Client = api) => by.must<Fields[]>("GET", `stats/marks${path}`);
const shown = async (path = "", by: Client = api) =>
  (await marks(path, by)).map(({ at, zone, action, records }) => [Number(at) - start, zone, action, records]);

test("changes of all zones are listed, newest first", async () => {
  expect(await shown()).toEqual([
    [300, "a.example", "dns_zone update", 0],
    [240, "a.example", "record bulk", 6],
    [180, "a.example", "record update", 1],
    [120, "b.example", "dns_zone create", 1],
    [60, "a.example", "record create", 1],
    [0, "a.example", "dns_zone create", 1],
  ]);
  const [settings, bulk] = await marks();
  expect(settings).toMatchObject({ settings: true, user: { type: "apikey" }, names: [] });
  expect(bulk).toMatchObject({
    ...{ settings: false, change: expect.stringMatching(/^[0-9a-f]{24}$/) },
    names: [1, 2, 3, 4, 5].map((n) => `h${n}.a.example A`),
  });
});

test("changes of a zone or record are listed alone, within a time, and in pages", async () => {
  expect((await shown("/a.example")).map(([at]) => at)).toEqual([300, 240, 180, 60, 0]);
  expect((await shown("/a.example/www.a.example/A")).map(([at]) => at)).toEqual([180, 60]);
  expect((await shown("/a.example/h3.a.example/A")).map(([at]) => at)).toEqual([240]);
  const range = `?start=${start + 60}&end=${start + 240}`;
  expect((await shown(range)).map(([at]) => at)).toEqual([240, 180, 120, 60]);
  expect((await shown(`/a.example${range}`)).map(([at]) => at)).toEqual([240, 180, 60]);
  for (const path of ["", "/a.example"]) {
    const found: Fields[] = [];
    for (let next: string | undefined = `stats/marks${path}?limit=1`; next; ) {
      const page = await api.call<Fields[]>("GET", next);
      found.push(...page.body);
      next = nextPath(page.headers);
    }
    expect(found).toEqual(await marks(path));
  }
  expect((await api.call("GET", `stats/marks?start=${start + 5}&end=${start}`)).status).toBe(400);
  expect((await api.call("GET", "stats/marks?after=x")).status).toBe(200);
  expect((await api.call("GET", "stats/marks/none.example")).body["message"]).toBe("zone not found");
});

describe("a caller", async () => {
  const by = (dns: Fields) => api.limited({ dns: { view_zones: true, ...dns } });
  const rule = { type: "A", domain: "www.a.example", zone: "a.example", include_subdomains: false };

  test("sees the zones that it may see", async () => {
    const one = await by({ zones_allow_by_default: false, zones_allow: ["b.example"] });
    expect(await shown("", one)).toEqual([[120, "b.example", "dns_zone create", 1]]);
    expect((await one.call("GET", "stats/marks/a.example")).status).toBe(403);
    expect(await marks("", await api.stranger())).toEqual([]);
  });

  test("that may see only some records sees the changes of these, and none of settings", async () => {
    const part = await by({ zones_deny: ["b.example"], records_deny: [rule] });
    expect(await shown("/a.example", part)).toEqual([
      [240, "a.example", "record bulk", 6],
      [0, "a.example", "dns_zone create", 1],
    ]);
    expect(await marks("", part)).toEqual(await marks("/a.example", part));
    expect((await marks("", part)).every(({ settings }) => settings === false)).toBe(true);
    expect((await part.call("GET", "stats/marks/a.example/www.a.example/A")).status).toBe(403);
  });
});

test("the deletion of a zone is a mark, and the zone keeps its others", async () => {
  later();
  await api.must("DELETE", "zones/b.example?confirm_deletions=true");
  expect((await shown(`?start=${start + 100}`)).filter(([, zone]) => zone === "b.example")).toEqual([
    [360, "b.example", "dns_zone delete", 0],
    [120, "b.example", "dns_zone create", 1],
  ]);
});
