/** The list of zones: its filters and orders, its pages and totals, and what a caller may see of it. */
import { describe, expect, test } from "vitest";
import { type Client, type Fields, networkZero, startApi } from "../../../../test/service/api.ts";
import { nextPath } from "../../../../test/service/client.ts";

const pools = [{ name: "p11", name_servers: ["dns1.example.org"] }];
const api = await startApi({
  egressAllow: ["127.0.0.0/8"],
  networks: [networkZero, { network_id: 11, name: "Inner", label: "inner", pools }],
});
const other = await api.stranger();
await other.must("PUT", "zones/alpha.stranger.example", { tags: { team: "red" } });

const secondary = { enabled: true, primary_ip: "127.0.0.1", primary_port: 1 };
const made: Readonly<Record<string, Fields>> = {
  "alpha.example": { tags: { team: "red", "a:b": null } },
  "beta.example": { tags: { team: "blue" }, networks: [0, 11] },
  "bücher.example": { networks: [11] },
  "gamma.example": { disabled: true, tags: { team: null } },
  "linked.example": { link: "alpha.example" },
  "second.example": { secondary },
  "under_score.example": {},
};
for (const [zone, fields] of Object.entries(made)) await api.must("PUT", `zones/${encodeURIComponent(zone)}`, fields);
const books = "xn--bcher-kva.example";
// serials are given after the replies
await api.numbered(await api.call("POST", `zones/${books}`, { ttl: 60 }));
const all = ["alpha.example", "beta.example", "gamma.example", "linked.example", "second.example"];
const everything = [...all, "under_score.example", books];

const listed = async (query: string, client: Client = api) => {
  const answer = await client.call<readonly Fields[]>("GET", `zones?${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer;
};
const namesIn = (zones: readonly Fields[]) => zones.map(({ zone }) => zone);
const names = async (query: string, client: Client = api) => namesIn((await listed(query, client)).body);

test("a list without parameters is as it was: by name, without a total", async () => {
  const answer = await listed("limit=3");
  expect(namesIn(answer.body)).toEqual(everything.slice(0, 3));
  expect(answer.headers.get("x-total-count")).toBeNull();
  expect(nextPath(answer.headers)).toBe("zones?limit=3&after=gamma.example");
});

describe("a filter", () => {
  const cases: readonly [query: string, zones: readonly string[]][] = [
    ["q=ALPHA", ["alpha.example"]],
    ["q=*.example", everything],
    ["q=b*ta", ["beta.example"]],
    ["q=r_s", ["under_score.example"]],
    ["q=", everything],
    [`q=${encodeURIComponent("BÜCH")}`, [books]],
    [`q=${encodeURIComponent("bu\u0308cher.ex")}`, [books]],
    ["q=xn--bch", [books]],
    ["q=her.example", [books]],
    ["kind=primary", ["alpha.example", "beta.example", "gamma.example", "under_score.example", books]],
    ["kind=secondary", ["second.example"]],
    ["kind=linked", ["linked.example"]],
    ["tag=team", ["alpha.example", "beta.example", "gamma.example"]],
    ["tag=team:red", ["alpha.example"]],
    ["tag=a:b", ["alpha.example"]],
    ["tag=red", []],
    ["status=disabled", ["gamma.example"]],
    ["status=enabled&kind=primary&tag=team", ["alpha.example", "beta.example"]],
    ["network=11", ["beta.example", books]],
    ["network=1", []],
  ];
  test.each(cases)("%s", async (query, zones) => {
    const answer = await listed(query);
    expect(namesIn(answer.body)).toEqual(zones);
    expect(answer.headers.get("x-total-count")).toBe(String(zones.length));
  });

  test("that is not known is refused with its name", async () => {
    for (const query of ["kind=stub", "status=on", "sort=size", "order=up", "network=-1", "network=x"]) {
      const answer = await api.call("GET", `zones?${query}`);
      expect([answer.status, answer.body["message"]]).toEqual([
        400,
        expect.stringContaining(`query parameter "${query.split("=")[0]}"`),
      ]);
    }
  });
});

describe("an order", async () => {
  const set = (zone: string, fields: { created_at?: number; updated_at?: number; serial?: number }) =>
    api.store.db.updateTable("zone").set(fields).where("zone", "=", zone).execute();
  for (const [i, zone] of ["gamma.example", books, "beta.example"].entries()) {
    await set(zone, { created_at: 1000 + i, updated_at: 2000 - i });
  }
  for (const zone of ["alpha.example", "linked.example", "second.example", "under_score.example"]) {
    await set(zone, { created_at: 1500, updated_at: 1500 });
  }
  await set("alpha.example", { serial: 5 });
  await set("linked.example", { serial: 99 });
  const same = ["alpha.example", "linked.example", "second.example", "under_score.example"];

  const cases: readonly [query: string, zones: readonly string[]][] = [
    ["sort=name&order=desc", everything.toReversed()],
    ["order=desc", everything.toReversed()],
    ["sort=created", ["gamma.example", books, "beta.example", ...same]],
    ["sort=created&order=desc", [...same.toReversed(), "beta.example", books, "gamma.example"]],
    ["sort=updated", [...same, "beta.example", books, "gamma.example"]],
  ];
  test.each(cases)("%s is the same in one page and in many", async (query, zones) => {
    expect(await names(query)).toEqual(zones);
    const found: unknown[] = [];
    for (let path: string | undefined = `zones?${query}&limit=2`; path !== undefined; ) {
      const answer = await api.call<readonly Fields[]>("GET", path);
      expect(answer.headers.get("x-total-count")).toBe("7");
      found.push(...namesIn(answer.body));
      path = nextPath(answer.headers);
    }
    expect(found).toEqual(zones);
  });

  test("by serial follows the serials that are shown: a linked zone has that of its target", async () => {
    const { body } = await listed("sort=serial");
    const serials = body.map(({ serial }) => Number(serial));
    expect(serials).toEqual(serials.toSorted((a, b) => a - b));
    expect(namesIn(body).slice(0, 2)).toEqual(["alpha.example", "linked.example"]);
    expect(await names("sort=serial&limit=1&after=alpha.example/5")).toEqual(["linked.example"]);
  });

  test("takes no cursor of another order", async () => {
    const answer = await api.call("GET", "zones?sort=serial&after=alpha.example");
    expect([answer.status, answer.body["message"]]).toEqual([400, expect.stringMatching(/^after: .*sorted by serial/)]);
  });
});

describe("a caller that may see some zones", async () => {
  const seen = (dns: Fields) => api.limited({ dns: { view_zones: true, ...dns } });
  const few = { zones_allow_by_default: false, zones_allow: ["beta.example", books, "alpha.stranger.example"] };

  test("gets these in lists and totals, and no cursor with the name of another", async () => {
    for (const [client, zones] of [
      [await seen(few), ["beta.example", books]],
      [await seen({ zones_deny: all }), ["under_score.example", books]],
      [await seen({ zones_allow_by_default: false }), []],
    ] as const) {
      const answer = await listed("q=e&sort=created&order=desc", client);
      expect(namesIn(answer.body).toSorted()).toEqual(zones.toSorted());
      expect(answer.headers.get("x-total-count")).toBe(String(zones.length));
      const page = await listed("sort=name&limit=1", client);
      expect(namesIn(page.body)).toEqual(zones.slice(0, 1));
      expect(page.headers.get("x-total-count")).toBe(String(zones.length));
      for (const name of everything.filter((one) => !(zones as readonly string[]).includes(one))) {
        expect(page.headers.get("link") ?? "").not.toContain(name);
      }
    }
  });

  test("through several teams sees what one of them opens", async () => {
    const team = async (dns: Fields) =>
      String((await api.must("PUT", "account/teams", { name: `team${++count}`, permissions: { dns } }))["id"]);
    const view = { view_zones: true };
    const teams = [
      await team({ ...view, zones_deny: ["alpha.example", "beta.example", "gamma.example"] }),
      await team({ ...view, zones_deny: ["beta.example", "gamma.example", books] }),
      await team({ ...view, ...few }),
    ];
    const client = await api.limited({}, { teams });
    expect(await names("q=example", client)).toEqual(everything.filter((name) => name !== "gamma.example"));
  });
});
let count = 0;

test("zones of another account are in no list and no total", async () => {
  for (const query of [
    "q=stranger",
    "tag=team:red&q=alpha.s",
    `sort=created&after=${"alpha.stranger.example/1"}&q=str`,
  ]) {
    const answer = await listed(query);
    expect([answer.body, answer.headers.get("x-total-count")]).toEqual([[], "0"]);
  }
  expect(await names("tag=team:red", other)).toEqual(["alpha.stranger.example"]);
});

test("a zone that was deleted and brought back is found by its name in Unicode", async () => {
  await api.must("DELETE", `zones/${books}`);
  const query = `q=${encodeURIComponent("bücher")}`;
  expect(await names(query)).toEqual([]);
  await api.must("POST", `deletedzones/${books}/undelete`);
  expect(await names(query)).toEqual([books]);
});
