/** Queries of the activity log. */
import { describe, expect, test } from "vitest";
import { type Client, type Fields, startApi } from "../../../test/service/api.ts";
import { silent } from "../../../test/store/store.ts";
import { newId } from "../../lib/ids.ts";
import { openStore } from "../../storage/db.ts";
import { type ActivityRow, entriesWritten, trimActivity } from "../write/activity/store.ts";

const api = await startApi();
const ask = async (query: string) =>
  (await api.call<{ code: string; message: string }>("GET", `account/activity?${query}`)).body;

test("an invalid or ambiguous time is refused with the name of its field", async () => {
  expect(await ask("start=abc")).toMatchObject({
    code: "invalid",
    message: expect.stringMatching(/^start: "abc" is not/),
  });
  expect(await ask("end=01%2F02%2F2026")).toMatchObject({ code: "invalid", details: { field: "end" } });
  expect(await ask("start=1700000000.5&end=now")).toBeInstanceOf(Array);
});

test("`start` and `end` limit the entries", async () => {
  await api.must("PUT", "zones/timed.example", { zone: "timed.example" });
  const count = async (query: string) =>
    (await api.must<Fields[]>("GET", `account/activity?resource_type=dns_zone&${query}`)).length;
  expect(await count("start=-1h&end=tomorrow")).toBe(1);
  expect(await count("end=-1h")).toBe(0);
  expect(await count("start=2026-01-01T00:00:00Z&end=now%2B1h")).toBe(1);
  expect(await count("start=tomorrow")).toBe(0);
});

test("imports into zones that a key may not see are not shown to it", async () => {
  const file = "@ 60 SOA ns.example. admin.example. 1 2 3 4 5\n";
  for (const zone of ["open.example", "closed.example"]) await api.must("PUT", `import/zonefile/${zone}`, file);
  const key = await api.limited({ dns: { zones_deny: ["closed.example"] } });
  const entries = await key.must<Fields[]>("GET", "account/activity?resource_type=zonefile");
  expect(entries).toMatchObject([{ resource: { zone: "open.example" } }]);
});

test("a key that may see little gets full pages too", async () => {
  for (const zone of ["seen.example", "hidden.example"]) await api.must("PUT", `zones/${zone}`, { zone });
  const write = (zone: string, i: number) =>
    api.must("PUT", `zones/${zone}/h${i}.${zone}/A`, { answers: [{ answer: ["192.0.2.1"] }] });
  for (let i = 0; i < 3; i++) await write("seen.example", i);
  for (let i = 0; i < 12; i++) await write("hidden.example", i);
  const key = await api.limited({ dns: { zones_deny: ["hidden.example"] } });
  const entries = await key.must<{ resource: Fields }[]>("GET", "account/activity?resource_type=record&limit=3");
  expect(entries.map(({ resource }) => resource["zone"])).toEqual(Array(3).fill("seen.example"));
});

describe("the entries of a zone", () => {
  const record = (zone: string, domain = `www.${zone}`) => ({
    ...{ action: "put", zone, domain, type: "A", answers: [{ answer: ["192.0.2.1"] }] },
  });
  const acts = async (query: string, client: Client = api) =>
    (await client.must<Fields[]>("GET", `account/activity?${query}`)).map(
      ({ resource_type, action }) => `${resource_type} ${action}`,
    );

  test("are its own, and change sets that name it among others", async () => {
    for (const zone of ["about.example", "aside.example"]) await api.must("PUT", `zones/${zone}`, { zone });
    await api.must("PUT", "changesets", { records: [record("about.example")] });
    await api.must("PUT", "changesets", { records: [record("aside.example")] });
    const both = ["about.example", "aside.example"].map((zone) => record(zone, `mail.${zone}`));
    await api.must("PUT", "changesets", { records: both });
    await api.must("DELETE", "zones/about.example/mail.about.example/A");
    const expected = ["record delete", "changeset create", "changeset create", "dns_zone create"];
    expect(await acts("zone=about.example")).toEqual(expected);
    expect(await acts("zone=About.Example.&limit=2")).toEqual(expected.slice(0, 2));
    expect(await acts("zone=about.example&resource_type=changeset")).toEqual(expected.slice(1, 3));
    expect(await acts(`zone=about.example&user=${encodeURIComponent("nobody")}`)).toEqual([]);
    const key = await api.limited({ dns: { zones_deny: ["aside.example"] } });
    expect(await acts("zone=about.example", key)).toEqual([expected[0], expected[2], expected[3]]);
    expect(await acts("zone=aside.example", key)).toEqual([]);
  });

  test("are asked for by a name", async () => {
    expect(await ask("zone=a%20b.example")).toMatchObject({ code: "invalid" });
    expect(await ask("zone=unknown.example")).toEqual([]);
  });
});

test("only old entries are deleted, and in every account", async () => {
  const { db } = api.store;
  await api.stranger();
  const accounts = await db.selectFrom("account").select("id").execute();
  const entry = {
    resource_id: "r",
    user_id: "u",
    user_name: "u",
    user_type: "user",
    action: "update",
    address: null,
    zone: "",
  };
  const rows: ActivityRow[] = accounts.flatMap(({ id: account_id }) =>
    Array.from({ length: 2500 }, (_, n) => ({
      ...{ ...entry, account_id, id: newId(), timestamp: n, resource_type: "old", resource: {}, before: null },
    })),
  );
  await db.executeQuery(entriesWritten.write(rows));
  const count = async () => (await db.selectFrom("activity").select("timestamp").execute()).length;
  const before = await count();
  const store = await openStore(api.storeUrl, { log: silent });
  await trimActivity(store.db, 2200);
  await store.close();
  expect(await count()).toBe(before - accounts.length * 2200);
  const left = await api.must<Fields[]>("GET", "account/activity?resource_type=old&limit=5000");
  expect(left.map(({ timestamp }) => timestamp)).toEqual(Array.from({ length: 300 }, (_, n) => 2499 - n));
});

describe("a key for a few zones", () => {
  const zone = (name: string) => `${name}.few.example`;
  const names = (entries: readonly Fields[]) => entries.map(({ resource }) => (resource as Fields)["zone"]);
  const zonesOnly = (...allowed: string[]) => ({
    dns: { zones_allow_by_default: false, zones_allow: allowed.map((name) => zone(name).toUpperCase()) },
  });

  test("gets entries of these zones and entries without a zone, in one order", async () => {
    for (const name of ["a", "b", "c"]) await api.must("PUT", `zones/${zone(name)}`, { zone: zone(name) });
    const key = await api.limited(zonesOnly("a", "c"));
    for (const [nx_ttl, name] of ["a", "b", "c", "a", "b"].entries()) {
      await api.must("POST", `zones/${zone(name)}`, { nx_ttl });
      await api.must("PUT", "account/apikeys", { name: newId() });
    }
    const all = await api.must<Fields[]>("GET", "account/activity?limit=12");
    const open = await key.must<Fields[]>("GET", "account/activity?limit=10");
    expect(open).toEqual(all.filter(({ resource }) => (resource as Fields)["zone"] !== zone("b")).slice(0, 10));
    expect(names(await key.must("GET", "account/activity?resource_type=dns_zone"))).toEqual(
      ["a", "c", "a", "c", "a"].map(zone),
    );
  });

  test("gets the entries by one user, each once", async () => {
    const writer = await api.limited({}, { name: "writer" });
    for (const name of ["a", "b", "c"]) await writer.must("POST", `zones/${zone(name)}`, { retry: 77 });
    const key = await api.limited(zonesOnly("a", "c"));
    const { user_id } = (await key.must<Fields[]>("GET", "account/activity?user=writer"))[0]!;
    for (const user of ["writer", user_id])
      expect(names(await key.must("GET", `account/activity?user=${user}`))).toEqual(["c", "a"].map(zone));
  });

  test("gets entries of deleted zones; a key that may see no zones gets no zone entries", async () => {
    await api.must("DELETE", `zones/${zone("a")}`);
    const key = await api.limited(zonesOnly("a"));
    expect((await key.must<Fields[]>("GET", "account/activity?resource_type=dns_zone"))[0]).toMatchObject({
      ...{ action: "delete", resource: { zone: zone("a") } },
    });
    const none = await api.limited(zonesOnly());
    expect(await none.must("GET", "account/activity?resource_type=dns_zone")).toEqual([]);
    expect(await none.must("GET", "account/activity?resource_type=apikey&limit=1")).toHaveLength(1);
  });

  test("gets the same entries if it has more zones than can be queried individually", async () => {
    const many = Array.from({ length: 250 }, (_, n) => `n${n}`);
    const [few, more] = await Promise.all([api.limited(zonesOnly("c")), api.limited(zonesOnly("c", ...many))]);
    const query = "account/activity?resource_type=dns_zone";
    expect(await more.must("GET", query)).toEqual(await few.must("GET", query));
  });
});
