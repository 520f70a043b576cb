/**
 * Teams over HTTP: the rights of their members, deletions, and that no request yields a right that the caller lacked.
 */
import { describe, expect, test } from "vitest";
import { type Client, type Fields, startApi } from "../../../../test/service/api.ts";
import { newId } from "../../../lib/ids.ts";
import { listAccounts } from "../operator/accounts-store.ts";
import { rescueAccounts } from "../operator/rescue.ts";

const api = await startApi({ trustedProxies: ["127.0.0.1"] });
const path = "account/teams";
const [here, office, elsewhere] = ["127.0.0.1", "192.0.2.7", "198.51.100.9"] as const;

type Team = Fields & { id: string };
type Key = Fields & { id: string; key: string };

const team = (permissions: Fields = {}, rest: Fields = {}, by: Client = api) =>
  by.must<Team>("PUT", path, { name: newId(), permissions, ...rest });
const member = async (teams: readonly Team[], rest: Fields = {}) => {
  const key = await api.must<Key>("PUT", "account/apikeys", {
    name: newId(),
    teams: teams.map(({ id }) => id),
    ...rest,
  });
  return { ...api.client(key.key), id: key.id };
};
const keyOf = ({ id }: { readonly id: string }) => api.must<Key>("GET", `account/apikeys/${id}`);
const onlyIn = (zone: string, fields: Fields = {}) => ({
  dns: { zones_allow_by_default: false, zones_allow: [zone], ...fields },
});
const statusFrom = async (by: Client, address: string) =>
  (await by.call("GET", "networks", undefined, { "X-Forwarded-For": address })).status;
const refusal = (names: string) => [403, `You are not allowed to modify the following permissions: ${names}`];
const outcome = async (by: Client, method: string, to: string, body?: Fields) => {
  const answer = await by.call(method, to, body);
  return [answer.status, answer.body["message"]];
};

await api.must("PUT", "zones/a.example", {});
await api.must("PUT", "zones/b.example", {});

test("a team is created, read, changed in parts and deleted, and the activity log shows it", async () => {
  const made = await team({ dns: { manage_zones: false } }, { name: "readers", ip_whitelist: null });
  expect(made).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    name: "readers",
    permissions: { dns: { manage_zones: false, view_zones: true, zones_allow: [] } },
    ip_whitelist: [],
  });
  const changed = { ...made, name: "lookers" };
  expect(await api.must("POST", `${path}/${made.id}`, { name: "lookers" })).toEqual(changed);
  expect(await api.must("POST", `${path}/${made.id}`, changed)).toEqual(changed);
  expect(await api.must("GET", `${path}/${made.id}`)).toEqual(changed);
  expect(await api.must("GET", path)).toContainEqual(changed);
  expect((await api.call("DELETE", `${path}/${made.id}`)).text).toBe("{}\n");
  const entries = await api.must<Fields[]>("GET", `account/activity?resource_id=${made.id}`);
  expect(entries.map(({ resource_type, action }) => [resource_type, action])).toEqual([
    ["team", "delete"],
    ["team", "update"],
    ["team", "create"],
  ]);
});

test("an entry of a team's allow list keeps its id, and a new entry gets an id", async () => {
  const made = await team({}, { ip_whitelist: [{ name: "office", values: [office] }, { values: null }] });
  const [first, second] = made["ip_whitelist"] as Team[];
  expect([first, second]).toEqual([
    { id: expect.stringMatching(/^[0-9a-f]{24}$/), name: "office", values: [office] },
    { id: expect.stringMatching(/^[0-9a-f]{24}$/), name: "", values: [] },
  ]);
  const body = {
    ip_whitelist: [
      { id: newId(), name: "foreign" },
      { ...first, values: [] },
      { ...first, name: "again" },
    ],
  };
  const changed = await api.must("POST", `${path}/${made.id}`, body);
  const ids = (changed["ip_whitelist"] as Team[]).map(({ id }) => id);
  expect(ids[1]).toBe(first?.id);
  expect(new Set([...ids, second?.id, body.ip_whitelist[0]?.id]).size).toBe(5);
});

describe("requests with mistakes are refused with their message:", () => {
  const cases: [method: string, path: string, body: unknown, status: number, message: string | RegExp][] = [
    ["GET", `${path}/${newId()}`, undefined, 404, "team not found"],
    ["POST", `${path}/${newId()}`, {}, 404, "team not found"],
    ["DELETE", `${path}/${newId()}`, undefined, 404, "team not found"],
    ["PUT", path, {}, 400, /"name"/],
    ["PUT", path, { name: "" }, 400, "name must have 1 to 255 characters"],
    [
      "PUT",
      `${path}?strict=true`,
      { name: "t", permissions: { dns: { see_zones: false } } },
      400,
      /permissions.dns.see_zones: is not known; check its spelling, because rights that are left out are granted/,
    ],
    ["PUT", path, { name: "t", ip_whitelist: [office] }, 400, /ip_whitelist/],
    ["PUT", path, { name: "t", ip_whitelist: [{ values: ["010.0.0.1"] }] }, 400, /ip_whitelist: "010.0.0.1"/],
    ["PUT", path, { name: "t", ip_whitelist: [{ values: Array(1001).fill(office) }] }, 400, /more than 1000/],
    ["PUT", "account/apikeys", { name: newId(), teams: ["nowhere"] }, 400, 'teams: there is no team "nowhere"'],
    ["PUT", "account/apikeys", { name: newId(), teams: [7] }, 400, /teams/],
  ];
  test.for(cases)("%s %s %j", async ([method, to, body, status, message]) => {
    const answer = await api.call(method, to, body);
    expect(answer.body["message"]).toMatch(message);
    expect(answer.status).toBe(status);
  });
});

test("a team's name is unique, also when two requests use it at the same time", async () => {
  const name = newId();
  const answers = await Promise.all([1, 2, 3].map(() => api.call("PUT", path, { name })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  expect(answers.find(({ status }) => status === 400)?.body["message"]).toBe(`team with name "${name}" exists`);
});

test("another account's team is not found and cannot be joined; a refused attempt stores nothing", async () => {
  const stranger = await api.stranger();
  const { id } = await team({}, {}, stranger);
  for (const [method, body] of [["GET"], ["POST", {}], ["DELETE"]] as const) {
    expect(await outcome(api, method, `${path}/${id}`, body)).toEqual([404, "team not found"]);
  }
  const name = newId();
  const refused = [400, `teams: there is no team "${id}"`];
  expect(await outcome(api, "PUT", "account/apikeys", { name, teams: [id] })).toEqual(refused);
  const own = await member([]);
  expect(await outcome(api, "POST", `account/apikeys/${own.id}`, { name, teams: [id] })).toEqual(refused);
  expect((await api.must<Key[]>("GET", "account/apikeys")).some((key) => key["name"] === name)).toBe(false);
});

test("the right manage_teams is required", async () => {
  const without = await api.limited({ account: { manage_teams: false } });
  for (const [method, to] of [
    ["GET", path],
    ["PUT", path],
    ["GET", `${path}/x`],
    ["POST", `${path}/x`],
    ["DELETE", `${path}/x`],
  ] as const) {
    const answer = await without.call(method, to, method === "GET" || method === "DELETE" ? undefined : { name: "n" });
    expect(answer.status).toBe(403);
  }
});

describe("a key in teams", () => {
  test("has the rights of its teams, and permissions sent with them are ignored", async () => {
    const readers = await team({ dns: { manage_zones: false } });
    const client = await member([readers], { permissions: { dns: { manage_zones: true, view_zones: false } } });
    expect((await client.call("GET", "zones/a.example")).status).toBe(200);
    expect((await client.call("POST", "zones/a.example", { ttl: 60 })).status).toBe(403);
    const body = { permissions: { dns: { manage_zones: true } } };
    const shown = await api.must<Key>("POST", `account/apikeys/${client.id}`, body);
    expect(shown).toMatchObject({
      teams: [readers.id],
      permissions: { dns: { manage_zones: false, view_zones: true } },
    });
    expect((await client.call("POST", "zones/a.example", { ttl: 60 })).status).toBe(403);
  });

  test("is checked team by team: a team's rights do not extend to another team's zones", async () => {
    const reader = await team(onlyIn("a.example", { manage_zones: false }));
    const writer = await team(onlyIn("b.example", { view_zones: false }));
    const client = await member([reader, writer]);
    const zones = (await client.must<Fields[]>("GET", "zones")).map(({ zone }) => zone);
    expect(zones).toEqual(["a.example"]);
    const statuses = async (method: string, rest: string, body?: Fields) =>
      await Promise.all(
        ["a.example", "b.example"].map(
          async (zone) => (await client.call(method, `zones/${zone}${rest}`, body)).status,
        ),
      );
    expect(await statuses("GET", "")).toEqual([200, 403]);
    expect(await statuses("POST", "", { ttl: 300 })).toEqual([403, 200]);
    expect(await statuses("GET", "/lint")).toEqual([200, 403]);
    const { permissions } = await keyOf(client);
    expect(permissions).toMatchObject({
      dns: { view_zones: true, manage_zones: true, zones_allow: ["a.example", "b.example"] },
    });
  });

  test("has the rights of a changed team from its next request", async () => {
    const one = await team();
    const client = await member([one]);
    const statuses: number[] = [];
    for (const view_zones of [true, false, true]) {
      await api.must("POST", `${path}/${one.id}`, { permissions: { dns: { view_zones } } });
      statuses.push((await client.call("GET", "zones")).status);
    }
    expect(statuses).toEqual([200, 403, 200]);
  });

  test("null and [] mean no team, and a team that is sent twice counts once", async () => {
    const one = await team();
    const key = await member([one, one]);
    expect((await keyOf(key))["teams"]).toEqual([one.id]);
    expect(await api.must("POST", `account/apikeys/${key.id}`, { teams: null })).toMatchObject({ teams: [] });
    expect((await keyOf(await member([], { teams: null })))["teams"]).toEqual([]);
  });
});

describe("a key that leaves its last team", () => {
  const some = onlyIn("a.example", { manage_zones: false });

  test("keeps the rights it granted", async () => {
    const one = await team(some);
    const client = await member([one], { permissions: { dns: { view_zones: false } } });
    const { permissions } = await keyOf(client);
    expect(await api.must("POST", `account/apikeys/${client.id}`, { teams: [] })).toMatchObject({
      teams: [],
      permissions,
    });
    expect((await client.must<Fields[]>("GET", "zones")).map(({ zone }) => zone)).toEqual(["a.example"]);
  });

  test("except where the request says otherwise", async () => {
    const client = await member([await team(some)]);
    const body = { teams: [], permissions: { dns: { manage_zones: true } } };
    expect(await api.must("POST", `account/apikeys/${client.id}`, body)).toMatchObject({
      permissions: { dns: { manage_zones: true, view_zones: true, zones_allow: ["a.example"] } },
    });
  });

  test("keeps zones of several teams with the same rights, and never gains any", async () => {
    const same = await member([await team(some), await team(onlyIn("b.example", { manage_zones: false }))]);
    expect(await api.must("POST", `account/apikeys/${same.id}`, { teams: [] })).toMatchObject({
      permissions: { dns: { manage_zones: false, zones_allow: ["a.example", "b.example"] } },
    });
    const different = await member([await team(some), await team(onlyIn("b.example"))]);
    expect(await api.must("POST", `account/apikeys/${different.id}`, { teams: [] })).toMatchObject({
      permissions: { dns: { view_zones: true, manage_zones: false, zones_allow: ["a.example", "b.example"] } },
    });
  });
});

describe("a team that is deleted", () => {
  test("leaves its members their other teams, or its own rights", async () => {
    const [one, two] = [await team(onlyIn("a.example")), await team({ dns: { manage_zones: false } })];
    const [both, only] = [await member([one, two]), await member([one])];
    const { permissions } = await keyOf(only);
    await api.must("DELETE", `${path}/${one.id}`);
    expect(await keyOf(both)).toMatchObject({ teams: [two.id], permissions: two["permissions"] });
    expect(await keyOf(only)).toMatchObject({ teams: [], permissions });
    expect((await both.call("PUT", "zones/a.example/x.a.example/A", {})).status).toBe(403);
    expect((await only.must<Fields[]>("GET", "zones")).map(({ zone }) => zone)).toEqual(["a.example"]);
  });

  test("treats users in the same way", async () => {
    const [one, two] = [await team(onlyIn("a.example")), await team({ dns: { manage_zones: false } })];
    const user = async (...teams: Team[]) => {
      const username = `u-${newId()}`;
      const body = { username, email: "ann@example.com", teams: teams.map(({ id }) => id) };
      return await api.must<Fields>("PUT", "account/users", body);
    };
    const [both, only, other] = [await user(one, two), await user(one), await user(two)];
    await api.must("DELETE", `${path}/${one.id}`);
    const now = (before: Fields) => api.must<Fields>("GET", `account/users/${before["username"]}`);
    expect(await now(both)).toEqual({ ...both, teams: [two.id], permissions: two["permissions"] });
    expect(await now(only)).toEqual({ ...only, teams: [] });
    expect(await now(other)).toEqual(other);
  });

  test("has no member left, even if a key joins it at the same time", async () => {
    const one = await team({ dns: { manage_zones: false } });
    const keys = [await member([]), await member([]), await member([])];
    const joins = keys.map(({ id }) => api.call("POST", `account/apikeys/${id}`, { teams: [one.id] }));
    await api.must("DELETE", `${path}/${one.id}`);
    for (const [i, { status }] of (await Promise.all(joins)).entries()) {
      const { teams, permissions } = await keyOf(keys[i]!);
      // a key that joined before the deletion keeps the team's rights
      expect([teams, permissions]).toMatchObject([[], { dns: { manage_zones: status !== 200 } }]);
    }
  });
});

describe("at the same time", () => {
  test("two changes of a team are both made", async () => {
    const { id } = await team();
    const change = (dns: Fields) => api.must("POST", `${path}/${id}`, { permissions: { dns } });
    await Promise.all([
      change({ view_zones: false }),
      change({ manage_zones: false }),
      change({ zones_deny: ["a.example"] }),
    ]);
    expect(await api.must("GET", `${path}/${id}`)).toMatchObject({
      permissions: { dns: { view_zones: false, manage_zones: false, zones_deny: ["a.example"] } },
    });
  });

  test("both teams of a key are deleted, and it has the rights of the last one", async () => {
    const teams = [await team(onlyIn("a.example")), await team({ dns: { manage_zones: false } })];
    const key = await member(teams);
    await Promise.all(teams.map(({ id }) => api.must("DELETE", `${path}/${id}`)));
    const left = await keyOf(key);
    expect(left["teams"]).toEqual([]);
    expect(teams.map(({ permissions }) => permissions)).toContainEqual(left["permissions"]);
  });
});

describe("a caller gains no right through teams", async () => {
  const limits = { dns: { manage_zones: false }, ipam: { manage_ipam: false } };
  const narrow = await team(limits);
  const wide = await team();
  const actor = await member([narrow]);
  const missing = refusal("manage_zones, manage_ipam");

  test("by joining a team, alone or besides another team, or by adding another member", async () => {
    for (const teams of [[wide.id], [narrow.id, wide.id]]) {
      expect(await outcome(actor, "POST", `account/apikeys/${actor.id}`, { teams })).toEqual(missing);
      expect(await outcome(actor, "PUT", "account/apikeys", { name: newId(), teams })).toEqual(missing);
    }
  });

  test("by creating, changing or deleting a team, its own or another", async () => {
    expect(await outcome(actor, "PUT", path, { name: newId() })).toEqual(missing);
    for (const [method, to, body] of [
      ["POST", narrow.id, { permissions: { dns: { manage_zones: true } } }],
      ["POST", narrow.id, { permissions: null }],
      ["POST", wide.id, { name: newId() }],
      ["POST", wide.id, { ip_whitelist: [{ values: [elsewhere] }] }],
      ["DELETE", wide.id, undefined],
    ] as const) {
      expect((await actor.call(method, `${path}/${to}`, body)).status).toBe(403);
    }
    expect(await api.must("GET", `${path}/${narrow.id}`)).toEqual(narrow);
    expect(await api.must("GET", `${path}/${wide.id}`)).toEqual(wide);
  });

  test("by leaving a team, with any other fields", async () => {
    const own = await member([narrow]);
    for (const permissions of [
      { dns: { manage_zones: true } },
      { ipam: null },
      { account: { manage_auth_keys: true } },
    ]) {
      expect((await own.call("POST", `account/apikeys/${own.id}`, { teams: [], permissions })).status).toBe(403);
    }
    for (const permissions of [null, {}, undefined]) {
      const left = await own.call("POST", `account/apikeys/${own.id}`, { teams: [], permissions });
      expect([left.status, left.body]).toMatchObject([200, { permissions: limits }]);
      await api.must("POST", `account/apikeys/${own.id}`, { teams: [narrow.id] });
    }
  });

  test("by the string of a key whose teams grant more", async () => {
    const more = await member([wide]);
    const seen = await actor.must<Fields[]>("GET", "account/apikeys");
    expect(seen.find(({ id }) => id === more.id)).not.toHaveProperty("key");
    expect(seen.find(({ id }) => id === actor.id)).toHaveProperty("key");
  });

  test("but two teams with a zone each may be passed on in one key", async () => {
    const both = await member([await team(onlyIn("a.example")), await team(onlyIn("b.example"))]);
    const zones_allow = ["a.example", "b.example"];
    const permissions = { dns: { zones_allow_by_default: false, zones_allow } };
    expect((await both.call("PUT", "account/apikeys", { name: newId(), permissions })).status).toBe(200);
    const more = { dns: { ...permissions.dns, zones_allow: [...zones_allow, "c.example"] } };
    expect(await outcome(both, "PUT", "account/apikeys", { name: newId(), permissions: more })).toEqual(
      refusal("zones_allow"),
    );
  });
});

describe("the last key that manages keys stays", async () => {
  const stranger = await api.stranger();
  const [own] = await stranger.must<Key[]>("GET", "account/apikeys");
  const admins = await team({ account: { manage_auth_keys: false } }, {}, stranger);
  await stranger.must("POST", `account/apikeys/${own?.id}`, { teams: [admins.id] });
  const message = "the last API key with the permission manage_apikeys must stay";

  test("also when its team is changed, or the key leaves for another team", async () => {
    const body = { permissions: { account: { manage_apikeys: false } } };
    expect(await outcome(stranger, "POST", `${path}/${admins.id}`, body)).toEqual([400, message]);
    const readers = await team({ account: { manage_apikeys: false } }, {}, stranger);
    const move = { teams: [readers.id] };
    expect(await outcome(stranger, "POST", `account/apikeys/${own?.id}`, move)).toEqual([400, message]);
    expect(await outcome(stranger, "DELETE", `account/apikeys/${own?.id}`)).toEqual([400, message]);
  });

  test("but its team can be deleted if another key manages keys", async () => {
    const readers = await team({ account: { manage_apikeys: false } }, {}, stranger);
    await stranger.must("PUT", "account/apikeys", { name: "second", teams: [admins.id, readers.id] });
    expect((await stranger.call("DELETE", `${path}/${readers.id}`)).status).toBe(200);
    expect((await stranger.call("DELETE", `account/apikeys/${own?.id}`)).status).toBe(200);
  });
});

describe("while an allow list of a key's teams contains a value", () => {
  const from = (by: Client) => Promise.all([here, office, elsewhere].map((address) => statusFrom(by, address)));

  test("the key's requests must come from an address in these lists, from the next request", async () => {
    const one = await team({}, { ip_whitelist: [{ name: "none", values: [] }] });
    const two = await team({}, { ip_whitelist: [{ values: [office] }, { values: [here] }] });
    const [both, first] = [await member([one, two]), await member([one])];
    expect([await from(both), await from(first)]).toEqual([
      [200, 200, 403],
      [200, 200, 200],
    ]);
    await api.must("POST", `${path}/${one.id}`, { ip_whitelist: [{ values: [elsewhere] }] });
    expect([await from(both), await from(first)]).toEqual([
      [200, 200, 200],
      [403, 403, 200],
    ]);
    await api.must("DELETE", `${path}/${two.id}`);
    expect(await from(both)).toEqual([403, 403, 200]);
    await api.must("DELETE", `${path}/${one.id}`);
    expect([await from(both), await from(first)]).toEqual([
      [200, 200, 200],
      [200, 200, 200],
    ]);
  });

  test("the key's own strict list and the lists of the account apply as well", async () => {
    const account = await api.stranger();
    const two = await team({}, { ip_whitelist: [{ values: [office, here] }] }, account);
    const body = { name: "held", teams: [two.id], ip_whitelist: [office, elsewhere], ip_whitelist_strict: true };
    const held = api.client(String((await account.must("PUT", "account/apikeys", body))["key"]));
    expect(await from(held)).toEqual([403, 200, 403]);
    await account.must("PUT", "account/whitelist", { name: "here", values: [here] });
    expect(await from(held)).toEqual([403, 403, 403]);
  });

  test("callers cannot lock themselves out", async () => {
    const one = await team({}, { ip_whitelist: [{ values: [here] }] });
    const own = await member([one]);
    const other = await team({}, { ip_whitelist: [{ values: [office] }] });
    const message = expect.stringContaining(`must include ${here}, your current address`);
    const shut = { ip_whitelist: [{ values: [office] }] };
    const free = await member([await team()]);
    expect(await outcome(free, "POST", `account/apikeys/${free.id}`, { teams: [other.id] })).toEqual([400, message]);
    const [its] = (await keyOf(free))["teams"] as string[];
    expect(await outcome(free, "POST", `${path}/${its}`, shut)).toEqual([400, message]);
    expect((await own.call("GET", "networks")).status).toBe(200);
  });

  test("a list that is emptied on the host, or by another process, stops applying within a second", async () => {
    const account = await api.stranger();
    const lists = [{ name: "office", values: [office] }, { values: [] }];
    const one = await team({}, { name: "shut", ip_whitelist: lists }, account);
    const made = await account.must("PUT", "account/apikeys", { name: newId(), teams: [one.id] });
    const shut = api.client(String(made["key"]));
    expect(await statusFrom(shut, here)).toBe(403);
    const freed = await rescueAccounts(api.store, await listAccounts(api.store.db), {}, 0);
    expect(freed.flatMap(({ lists }) => lists)).toContainEqual(
      expect.objectContaining({ team: "shut", name: "office", values: [office] }),
    );
    await expect.poll(() => statusFrom(shut, here), { timeout: 10_000 }).toBe(200);
    const entries = await account.must<Fields[]>("GET", `account/activity?resource_id=${one.id}`);
    expect(entries).toContainEqual(expect.objectContaining({ user_name: "fairlead store clear-allow-lists" }));
  });

  test("a caller restricted by such a list cannot admit other addresses", async () => {
    const one = await team({}, { ip_whitelist: [{ values: [here] }] });
    const own = await member([one]);
    for (const [method, to, body] of [
      ["POST", `${path}/${one.id}`, { ip_whitelist: [] }],
      ["POST", `${path}/${one.id}`, { ip_whitelist: [{ values: [here, office] }] }],
      ["DELETE", `${path}/${one.id}`, undefined],
      ["POST", `account/apikeys/${own.id}`, { teams: [] }],
      ["PUT", "account/apikeys", { name: newId(), permissions: {} }],
    ] as const) {
      expect((await own.call(method, to, body)).status).toBe(403);
    }
    expect((await own.call("PUT", "account/apikeys", { name: newId(), teams: [one.id] })).status).toBe(200);
    const free = await team();
    await member([free]);
    const less = { permissions: { dns: { view_zones: false } } };
    expect((await own.call("POST", `${path}/${free.id}`, less)).status).toBe(403);
    expect((await own.call("POST", `${path}/${free.id}`, { name: newId() })).status).toBe(200);
    expect((await own.call("POST", `${path}/${one.id}`, less)).status).toBe(200);
  });
});

test("permissions have limited octets, and so have all teams of a key or user together; their number is limited", async () => {
  const zones = (count: number, length: number) => Array.from({ length: count }, (_, i) => `${i}-`.padEnd(length, "x"));
  const large = (octets: number) => ({ dns: { zones_allow: zones(Math.ceil(octets / 63), 60) } });
  const make = (octets: number) =>
    api.must<{ readonly id: string }>("PUT", "account/teams", { name: newId(), permissions: large(octets) });
  const tooLarge = await outcome(api, "PUT", "account/teams", { name: newId(), permissions: large(530_000) });
  expect(tooLarge).toEqual([400, expect.stringContaining("permissions: must be at most 524288 octets of JSON")]);
  const [one, two, three] = [await make(400_000), await make(400_000), await make(100_000)];
  const key = (teams: readonly { readonly id: string }[]) => ({ name: newId(), teams: teams.map(({ id }) => id) });
  const together = [400, expect.stringContaining("at most 1048576 octets of JSON together")];
  expect(await outcome(api, "PUT", "account/apikeys", key([one, two, await make(300_000)]))).toEqual(together);
  await api.must("PUT", "account/apikeys", key([one, two, three]));
  const larger = { permissions: large(300_000) };
  expect(await outcome(api, "POST", `account/teams/${three.id}`, larger)).toEqual(together);
  const many = await Promise.all(Array.from({ length: 21 }, () => make(100)));
  const tooMany = [400, expect.stringContaining("at most 20 teams")];
  expect(await outcome(api, "PUT", "account/apikeys", key(many))).toEqual(tooMany);
  await api.must("PUT", "account/apikeys", key(many.slice(1)));
});
