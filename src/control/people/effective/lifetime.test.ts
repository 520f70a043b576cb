/** Keys that expire cannot create access that lasts longer. */
import { beforeAll, describe, expect, test } from "vitest";
import { type Client, type Fields, startApi } from "../../../../test/service/api.ts";
import { newId } from "../../../lib/ids.ts";

const api = await startApi();
const path = "account/apikeys";
const narrow = { dns: { manage_zones: false } };

interface Secret {
  readonly id: string;
  readonly key: string;
}
type Key = Fields & { readonly id: string; readonly key: string; readonly secrets: readonly Secret[] };

const create = (fields: Fields = {}, by: Client = api) => by.must<Key>("PUT", path, { name: newId(), ...fields });
const mail = () => ({ username: newId(), email: `${newId()}@example.com` });

let ending: Key;
let short: Client;
let plain: Key;
let team: Fields;
beforeAll(async () => {
  ending = await create({ expiry_duration: "30d" });
  short = api.client(ending.secrets[0]!.key);
  plain = await create({ permissions: narrow });
  team = await api.must("PUT", "account/teams", { name: newId(), permissions: narrow });
});

const tried = async (method: string, to: string, body?: Fields, by = short) => {
  const answer = await by.call(method, to, body);
  const { expires_at } = (answer.body["details"] ?? {}) as { expires_at?: string };
  return expires_at === undefined ? answer.status : `${answer.status}, expires`;
};
const refused = "403, expires";

describe("a key that expires", () => {
  test("creates keys that expire no later", async () => {
    const make = (rest: Fields) => tried("PUT", path, { name: newId(), ...rest });
    expect(await make({})).toBe(refused);
    expect(await make({ expiry_duration: "31d" })).toBe(refused);
    expect(await make({ expiry_duration: "29d" })).toBe(200);
  });

  test("gets no secret that lasts longer, for itself or for another key", async () => {
    const other = await create({ expiry_duration: "60d", permissions: narrow });
    const add = (id: string, expiry_duration?: string) =>
      tried("POST", `${path}/${id}/secrets`, expiry_duration === undefined ? {} : { expiry_duration });
    expect(await add(ending.id, "31d")).toBe(refused);
    expect(await add(other.id)).toBe(refused);
    expect(await add(other.id, "29d")).toBe(200);
    const first = `${path}/${other.id}/secrets/${other.secrets[0]!.id}`;
    expect(await tried("POST", first, { enabled: false })).toBe(200);
    expect(await tried("POST", first, { enabled: true })).toBe(refused);
  });

  test("neither rotates a key that does not expire nor sees its string", async () => {
    expect(await tried("POST", `${path}/${plain.id}/rotate`, {})).toBe(refused);
    const seen = await short.must<Key[]>("GET", path);
    expect(seen.map(({ id }) => id)).toContain(plain.id);
    expect(seen.filter(({ key }) => key !== undefined)).toEqual([]);
    expect(await short.must("GET", `${path}/${plain.id}`)).not.toHaveProperty("key");
  });

  test("cannot give an existing key more rights, only fewer", async () => {
    const change = (body: Fields) => tried("POST", `${path}/${plain.id}`, body);
    expect(await change({ permissions: { dns: { manage_zones: true } } })).toBe(refused);
    expect(await change({ teams: [(await api.must("PUT", "account/teams", { name: newId() }))["id"]] })).toBe(refused);
    expect(await change({ name: newId(), permissions: { account: { manage_apikeys: false } } })).toBe(200);
    expect(await change({ ip_whitelist: ["192.0.2.1"], ip_whitelist_strict: true })).toBe(200);
    expect(await change({ ip_whitelist_strict: false })).toBe(refused);
  });

  test("changes a team as long as its members gain nothing", async () => {
    const change = (permissions: Fields) => tried("POST", `account/teams/${team["id"]}`, { permissions });
    expect(await change({ dns: { manage_zones: true } })).toBe(200);
    await create({ teams: [team["id"]] });
    expect(await change({ dns: { manage_zones: false } })).toBe(200);
    expect(await change({ dns: { manage_zones: true } })).toBe(refused);
    const closed = await api.must("PUT", "account/teams", {
      name: newId(),
      ip_whitelist: [{ name: "office", values: ["192.0.2.1"] }],
    });
    await create({ teams: [closed["id"]] });
    expect(await tried("DELETE", `account/teams/${closed["id"]}`)).toBe(refused);
  });

  test("cannot lock out a lasting key that manages keys", async () => {
    const nowhere = { ip_whitelist: ["192.0.2.1"], ip_whitelist_strict: true };
    const keeper = `${path}/${(await create()).id}`;
    expect(await tried("POST", keeper, nowhere)).toBe(refused);
    expect(await tried("POST", keeper, { ip_whitelist_strict: true })).toBe(refused);
    const user = await api.must("PUT", "account/users", mail());
    expect(await tried("POST", `account/users/${user["username"]}`, nowhere)).toBe(refused);
    const open = await api.must("PUT", "account/teams", { name: newId() });
    await create({ teams: [open["id"]] });
    const lists = [{ name: "office", values: ["192.0.2.1"] }];
    expect(await tried("POST", `account/teams/${open["id"]}`, { ip_whitelist: lists })).toBe(refused);
    const closed = await api.must("PUT", "account/teams", { name: newId(), ip_whitelist: lists });
    expect(await tried("POST", keeper, { teams: [closed["id"]] })).toBe(refused);
    expect(await tried("PUT", "account/whitelist", { name: "here", values: ["127.0.0.1"] })).toBe(refused);
  });

  test("can lock out other keys, and keys that expire", async () => {
    const lists = { ip_whitelist: ["127.0.0.1"], ip_whitelist_strict: true };
    const other = await create({ expiry_duration: "60d" });
    expect(await tried("POST", `${path}/${other.id}`, lists)).toBe(200);
    const reader = await create({ permissions: { account: { manage_apikeys: false } } });
    expect(await tried("POST", `${path}/${reader.id}`, lists)).toBe(200);
  });

  test("neither creates a user nor gives a user access", async () => {
    expect(await tried("PUT", "account/users", mail())).toBe(refused);
    const user = await api.must("PUT", "account/users", mail());
    const called = String(user["username"]);
    expect(await tried("POST", `account/reinvite/${called}`, {})).toBe(refused);
    expect(await tried("POST", `account/users/${called}`, { email: mail().email })).toBe(refused);
    expect(await tried("DELETE", `account/2factor/reset/${called}`)).toBe(refused);
    expect(await tried("POST", `account/users/${called}`, { name: "Ann" })).toBe(200);
    expect(await tried("DELETE", `account/users/${called}`)).toBe(200);
  });

  test("deletes keys", async () => {
    const gone = await create();
    expect(await tried("DELETE", `${path}/${gone.id}`)).toBe(200);
  });
});

test("a rotated string expires as well, although its key does not", async () => {
  const { id, key } = await create();
  await api.must("POST", `${path}/${id}/rotate`, { overlap: "7d" });
  const before = api.client(key);
  expect(await tried("PUT", path, { name: newId() }, before)).toBe(refused);
  expect(await tried("POST", `${path}/${id}/rotate`, {}, before)).toBe(refused);
  expect(await before.must("GET", `${path}/${id}`)).not.toHaveProperty("key");
});
