/** Keys that deny by default, and the presets that make them. */
import { describe, expect, test } from "vitest";
import { type Client, type Fields, startApi } from "../../../../test/service/api.ts";
import { newId } from "../../../lib/ids.ts";

const api = await startApi();
const path = "account/apikeys";
const make = (body: Fields, by: Client = api) => by.call("PUT", path, { name: newId(), ...body });
const rightsOf = async (id: unknown) => {
  const { rights } = await api.must<{ rights: { right: string; allowed: boolean }[] }>(
    "GET",
    `${path}/${id}/effective`,
  );
  return rights.flatMap(({ right, allowed }) => (allowed ? right : []));
};
for (const zone of ["example.com", "example.net"]) await api.must("PUT", `zones/${zone}`, {});

describe("default deny", () => {
  test("denies every right that is left out, and is shown", async () => {
    const { body } = await make({ permissions: { default: "deny", dns: { view_zones: true } } });
    expect(body["permissions"]).toMatchObject({ default: "deny", dns: { view_zones: true, manage_zones: false } });
    expect(await rightsOf(body["id"])).toEqual(["dns.view_zones"]);
    const key = api.client(String(body["key"]));
    expect((await key.call("GET", "zones/example.com")).status).toBe(200);
    expect((await key.call("PUT", "zones/example.org", {})).status).toBe(403);
    expect((await key.call("GET", path)).status).toBe(403);
  });

  test("rights that follow another right are left out as well", async () => {
    const { body } = await make({ permissions: { default: "deny", monitoring: { manage_jobs: true } } });
    expect(await rightsOf(body["id"])).toEqual(["monitoring.manage_jobs"]);
  });

  test("stays in a change without it, and ends with allow or null", async () => {
    for (const end of ["allow", null]) {
      const { id } = (await make({ permissions: { default: "deny" } })).body;
      const change = (permissions: Fields) => api.must("POST", `${path}/${id}`, { permissions });
      expect((await change({ dns: { view_zones: true } }))["permissions"]).toMatchObject({ default: "deny" });
      expect(await rightsOf(id)).toEqual(["dns.view_zones"]);
      expect((await change({ default: end }))["permissions"]).not.toHaveProperty("default");
      expect(await rightsOf(id)).toContain("account.manage_users");
    }
  });

  test("a reply that is sent back changes nothing", async () => {
    const { id, permissions } = (await make({ permissions: { default: "deny", dns: { view_zones: true } } })).body;
    expect((await api.must("POST", `${path}/${id}`, { permissions }))["permissions"]).toEqual(permissions);
    expect(await rightsOf(id)).toEqual(["dns.view_zones"]);
  });

  test("a value of another kind is refused", async () => {
    const answer = await make({ permissions: { default: "none" } });
    expect([answer.status, answer.body["message"]]).toEqual([400, expect.stringContaining("permissions.default")]);
  });

  test("a key with it cannot make a key that gets the rights of later releases", async () => {
    const { rights } = await api.must<{ rights: { right: string }[] }>(
      "GET",
      `${path}/${(await make({})).body["id"]}/effective`,
    );
    const all: Record<string, Record<string, boolean>> = {};
    for (const { right } of rights) {
      const [group = "", name = ""] = right.split(".");
      all[group] = { ...all[group], [name]: true };
    }
    const key = api.client(String((await make({ permissions: { default: "deny", ...all } })).body["key"]));
    const refused = await make({}, key);
    expect(refused.body["message"]).toMatch(/^You are not allowed to modify the following permissions: default, /);
    expect((await make({ permissions: { default: "deny", ...all } }, key)).status).toBe(200);
  });

  test("one team alone has to grant, and a member that leaves its teams keeps no later rights", async () => {
    const team = async (permissions: Fields) =>
      (await api.must("PUT", "account/teams", { name: newId(), permissions }))["id"];
    const deny = await team({ default: "deny", dns: { view_zones: true } });
    const { id } = (await make({ teams: [deny] })).body;
    expect(await rightsOf(id)).toEqual(["dns.view_zones"]);
    const other = await team({ default: "deny", data: { push_to_datafeeds: true } });
    const both = await api.must("POST", `${path}/${id}`, { teams: [deny, other] });
    expect(both["permissions"]).toMatchObject({ default: "deny" });
    expect(await rightsOf(id)).toEqual(["data.push_to_datafeeds", "dns.view_zones"]);
    expect((await api.must("POST", `${path}/${id}`, { teams: [] }))["permissions"]).toMatchObject({ default: "deny" });
    expect(await rightsOf(id)).toEqual(["data.push_to_datafeeds", "dns.view_zones"]);
  });
});

describe("a preset", () => {
  const keyOf = async (preset: Fields) => api.client(String((await make({ preset })).body["key"]));
  const put = async (key: Client, name: string, type: string, answer: string, zone = "example.com") =>
    (await key.call("PUT", `zones/${zone}/${name}/${type}`, { answers: [{ answer: [answer] }] })).status;

  test("acme writes the challenge of one name", async () => {
    for (const [domain, name] of [
      [undefined, "_acme-challenge.example.com"],
      ["*.a.example.com", "_acme-challenge.a.example.com"],
      ["WWW.example.com.", "_acme-challenge.www.example.com"],
    ] as const) {
      const key = await keyOf({ name: "acme", zone: "example.com", domain });
      expect((await key.call("GET", "zones/example.com")).status).toBe(200);
      expect(await put(key, name, "TXT", "x")).toBe(200);
      expect(await put(key, name, "A", "192.0.2.1")).toBe(403);
      expect(await put(key, "_acme-challenge.other.example.com", "TXT", "x")).toBe(403);
      expect(await put(key, "_acme-challenge.example.net", "TXT", "x", "example.net")).toBe(403);
      expect((await key.call("PUT", "zones/www.example.com", {})).status).toBe(403);
    }
  });

  test("acme lets a client look for its zone from the name upwards", async () => {
    const key = await keyOf({ name: "acme", zone: "example.com", domain: "a.b.example.com" });
    for (const name of ["a.b.example.com", "b.example.com"]) {
      expect((await key.call("GET", `zones/${name}`)).status).toBe(404);
    }
    expect((await key.call("GET", "zones/com")).status).toBe(403);
  });

  test("dyndns writes the addresses of one name", async () => {
    const key = await keyOf({ name: "dyndns", zone: "example.com", domain: "home.example.com" });
    expect(await put(key, "home.example.com", "A", "192.0.2.1")).toBe(200);
    expect(await put(key, "home.example.com", "AAAA", "2001:db8::1")).toBe(200);
    expect(await put(key, "home.example.com", "TXT", "x")).toBe(403);
    expect(await put(key, "example.com", "A", "192.0.2.1")).toBe(403);
  });

  test("zone changes one zone and nothing else", async () => {
    const { body } = await make({ preset: { name: "zone", zone: "example.com" } });
    expect(await rightsOf(body["id"])).toEqual(["dns.manage_zones", "dns.view_zones"]);
    const key = api.client(String(body["key"]));
    expect(await put(key, "z.example.com", "A", "192.0.2.1")).toBe(200);
    expect(await put(key, "z.example.net", "A", "192.0.2.1", "example.net")).toBe(403);
    expect((await key.call("POST", "zones/example.com", { ttl: 77 })).status).toBe(200);
  });

  test("read-only reads a zone, or everything", async () => {
    const one = await keyOf({ name: "read-only", zone: "example.com" });
    expect((await one.must<Fields[]>("GET", "zones")).map(({ zone }) => zone)).toEqual(["example.com"]);
    const { body } = await make({ preset: { name: "read-only" } });
    expect((await rightsOf(body["id"])).filter((right) => !right.includes(".view_"))).toEqual([]);
    const all = api.client(String(body["key"]));
    expect((await all.must<Fields[]>("GET", "zones")).length).toBeGreaterThan(1);
    expect((await all.call("GET", "account/activity")).status).toBe(200);
    expect(await put(all, "z.example.com", "A", "192.0.2.1")).toBe(403);
  });

  test.each([
    [{ preset: { name: "acme" } }, "preset.zone: is required for acme"],
    [{ preset: { name: "dyndns", zone: "example.com" } }, "preset.domain: is required for dyndns"],
    [
      { preset: { name: "dyndns", zone: "example.com", domain: "home.example.net" } },
      /^preset\.domain: .*not in the zone/,
    ],
    [{ preset: { name: "zone", zone: "example.com", domain: "a.example.com" } }, /^preset\.domain: does not apply/],
    [{ preset: { name: "zone", zone: "not a name" } }, /^preset\.zone: /],
    [{ preset: { name: "admin" } }, /preset\.name/],
    [{ preset: { name: "read-only" }, permissions: {} }, "preset: cannot be combined with permissions"],
  ] as const)("%j is refused", async (body, message) => {
    const answer = await make(body);
    expect(answer.status).toBe(400);
    expect(answer.body["message"]).toEqual(expect.stringMatching(message));
  });

  test("gives no right that its caller lacks", async () => {
    const reader = await keyOf({ name: "read-only" });
    expect((await make({ preset: { name: "zone", zone: "example.com" } }, reader)).status).toBe(403);
    const limited = await api.limited({ dns: { zones_allow_by_default: false, zones_allow: ["example.net"] } });
    expect((await make({ preset: { name: "acme", zone: "example.com" } }, limited)).status).toBe(403);
    expect((await make({ preset: { name: "acme", zone: "example.net" } }, limited)).status).toBe(200);
  });
});
