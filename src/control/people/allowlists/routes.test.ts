/** The account's allow lists over HTTP: their effect, refusals, and the rescue on the host. */
import { describe, expect, test } from "vitest";
import { type Client, type Fields, startApi } from "../../../../test/service/api.ts";
import { listAccounts } from "../operator/accounts-store.ts";
import { rescueAccounts } from "../operator/rescue.ts";

const api = await startApi({ trustedProxies: ["127.0.0.1"] });
const path = "account/whitelist";
const [here, office, elsewhere] = ["127.0.0.1", "192.0.2.7", "198.51.100.9"] as const;

type List = Fields & { id: string };
const create = (by: Client, ...values: string[]) => by.must<List>("PUT", path, { name: "list", values });
const statusFrom = async (by: Client, address: string, method = "GET", to = "zones") =>
  (await by.call(method, to, undefined, { "X-Forwarded-For": address })).status;

test("a list is created, read, changed in parts and deleted, and the activity log shows it", async () => {
  const account = await api.stranger();
  const made = await account.must<List>("PUT", path, { name: "office" });
  expect(made).toEqual({ id: expect.stringMatching(/^[0-9a-f]{24}$/), name: "office", values: [] });
  const values = [here, "2001:db8::/32"];
  expect(await account.must("POST", `${path}/${made.id}`, { values })).toEqual({ ...made, values });
  const changed = { ...made, name: "home", values };
  expect(await account.must("POST", `${path}/${made.id}`, { name: "home" })).toEqual(changed);
  expect(await account.must("POST", `${path}/${made.id}`, changed)).toEqual(changed);
  expect(await account.must("GET", `${path}/${made.id}`)).toEqual(changed);
  expect(await account.must("GET", path)).toEqual([changed]);
  expect((await account.call("DELETE", `${path}/${made.id}`)).text).toBe("{}\n");
  expect(await account.must("GET", path)).toEqual([]);
  const entries = await account.must<Fields[]>("GET", "account/activity?resource_type=whitelist");
  expect(entries.map(({ action }) => action)).toEqual(["delete", "update", "update", "create"]);
});

describe("while a list contains a value", async () => {
  const account = await api.stranger();
  const list = await create(account, here, "192.0.2.0/24");

  test("requests with the account's keys must come from an address in its lists, from the next request", async () => {
    expect(await Promise.all([here, office, elsewhere].map((from) => statusFrom(account, from)))).toEqual([
      200, 200, 403,
    ]);
    const other = await create(account, elsewhere);
    expect(await statusFrom(account, elsewhere)).toBe(200);
    await account.must("DELETE", `${path}/${other.id}`);
    expect(await statusFrom(account, elsewhere)).toBe(403);
    expect(await statusFrom(account, `::ffff:${office}`)).toBe(200);
  });

  test("writes, pushes and paths that need no right are refused from other addresses too", async () => {
    for (const [method, to] of [
      ["PUT", "zones/none.example"],
      ["POST", "feed/none"],
      ["GET", "networks"],
    ] as const) {
      expect(await statusFrom(account, elsewhere, method, to)).toBe(403);
    }
  });

  test("a key's own strict list applies as well", async () => {
    const body = { name: "strict", ip_whitelist: [office, elsewhere], ip_whitelist_strict: true };
    const strict = api.client(String((await account.must("PUT", "account/apikeys", body))["key"]));
    expect(await Promise.all([here, office, elsewhere].map((from) => statusFrom(strict, from)))).toEqual([
      403, 200, 403,
    ]);
  });

  test("keys of other accounts are not restricted", async () => {
    expect(await statusFrom(api, elsewhere)).toBe(200);
  });

  test("callers cannot lock themselves out by any change", async () => {
    const second = await create(account, elsewhere);
    const message = expect.stringContaining(`must include ${here}, your current address`);
    for (const [method, body] of [
      ["POST", { values: ["192.0.2.0/24"] }],
      ["POST", { values: null }],
      ["DELETE", undefined],
    ] as const) {
      const answer = await account.call(method, `${path}/${list.id}`, body);
      expect([answer.status, answer.body["message"]]).toEqual([400, message]);
    }
    await account.must("DELETE", `${path}/${second.id}`);
    const stranger = await api.stranger();
    expect((await stranger.call("PUT", path, { name: "no", values: [elsewhere] })).body["message"]).toEqual(message);
    expect(await stranger.must("GET", path)).toEqual([]);
  });
});

describe("addresses that the account's lists exclude", async () => {
  const account = await api.stranger();
  const list = await create(account, here, "192.0.2.0/24");
  const made = async (fields: Fields) => await account.must("PUT", "account/apikeys", { name: "limited", ...fields });
  const outcome = async (by: Client, method: string, to: string, values?: string[]) => {
    const answer = await by.call(method, to, values && { name: "list", values });
    return answer.status === 200 ? 200 : [answer.status, answer.body["message"]];
  };

  test("a key with an allow list can only admit its own addresses", async () => {
    const values = [here, "192.0.2.0/25", "198.51.100.0/25"];
    const { key } = await made({ ip_whitelist: values, ip_whitelist_strict: true });
    const held = api.client(String(key));
    const refused = [
      403,
      "your own allow list restricts you: you cannot add addresses outside it to the account's lists",
    ];
    expect(await outcome(held, "PUT", path, ["0.0.0.0/0"])).toEqual(refused);
    expect(await outcome(held, "PUT", path, ["198.51.100.0/24"])).toEqual(refused);
    expect(await outcome(held, "POST", `${path}/${list.id}`, [])).toEqual(refused);
    expect(await outcome(held, "DELETE", `${path}/${list.id}`)).toEqual(refused);
    expect(await outcome(held, "POST", `${path}/${list.id}`, [here, "192.0.2.128/25", elsewhere])).toBe(200);
    await account.must("POST", `${path}/${list.id}`, { values: list["values"] as string[] });
  });

  test("a key that expires can neither admit nor exclude addresses", async () => {
    const { secrets } = await made({ name: "ending", expiry_duration: "30d" });
    const [{ key } = { key: "" }] = secrets as { key: string }[];
    const ending = api.client(key);
    const refused = [403, expect.stringContaining("you cannot grant access that lasts longer")];
    expect(await outcome(ending, "PUT", path, [elsewhere])).toEqual(refused);
    expect(await outcome(ending, "DELETE", `${path}/${list.id}`)).toEqual(refused);
    expect(await outcome(ending, "PUT", path, [office])).toBe(200);
    const keeping = [403, expect.stringContaining("an expiring key cannot restrict where key managers")];
    expect(await outcome(ending, "POST", `${path}/${list.id}`, [here])).toEqual(keeping);
  });
});

test("without values all addresses are admitted again", async () => {
  const account = await api.stranger();
  const list = await create(account, here);
  expect(await statusFrom(account, elsewhere)).toBe(403);
  await account.must("POST", `${path}/${list.id}`, { values: [] });
  expect(await statusFrom(account, elsewhere)).toBe(200);
});

test("lists that are emptied on the host, or by another process, stop applying within a second", async () => {
  const account = await api.stranger();
  const list = await create(account, here);
  expect(await statusFrom(account, elsewhere)).toBe(403);
  const freed = await rescueAccounts(api.store, await listAccounts(api.store.db), {}, 0);
  expect(freed.flatMap(({ lists }) => lists)).toContainEqual(
    expect.objectContaining({ id: list.id, name: "list", values: [here] }),
  );
  await expect.poll(() => statusFrom(account, elsewhere), { timeout: 10_000 }).toBe(200);
  expect(await account.must("GET", `${path}/${list.id}`)).toEqual({ ...list, values: [] });
  const entries = await account.must<Fields[]>("GET", `account/activity?resource_id=${list.id}`);
  expect(entries.map(({ user_name }) => user_name)).toContain("fairlead store clear-allow-lists");
});

describe("the following is refused:", async () => {
  const account = await api.stranger();
  const cases: [what: string, body: Fields, message: string | RegExp][] = [
    ["no name", { values: [here] }, /"name"/],
    ["an empty name", { name: "" }, "name must have 1 to 255 characters"],
    ["an address in place of a list", { name: "one", values: here }, /values/],
    ["too many values", { name: "many", values: Array(1001).fill(here) }, "values has more than 1000 entries"],
    ...["010.0.0.1", "127.1", "0x7f.1", "1.2.3.4/33", "1.2.3.4/24", "", "fe80::1%lo", "a.example"].map(
      (value): [string, Fields, RegExp] => [`"${value}"`, { name: "odd", values: [here, value] }, /^values: "/],
    ),
  ];
  test.for(cases)("%s", async ([, body, message]) => {
    const answer = await account.call("PUT", path, body);
    expect(answer.body["message"]).toMatch(message);
    expect(answer.status).toBe(400);
  });

  test("more than 1000 values in all lists", async () => {
    await create(account, here);
    const answer = await account.call("PUT", path, { name: "rest", values: Array(1000).fill(office) });
    expect([answer.status, answer.body["message"]]).toEqual([400, expect.stringContaining("1000 entries together")]);
  });
});

test("the right is required, and another account's lists are not found", async () => {
  const { id } = await create(await api.stranger(), here);
  const without = await api.limited({ account: { manage_ip_whitelist: false } });
  for (const [method, to, body] of [
    ["GET", path, undefined],
    ["PUT", path, { name: "list" }],
    ["GET", `${path}/${id}`, undefined],
    ["POST", `${path}/${id}`, {}],
    ["DELETE", `${path}/${id}`, undefined],
  ] as const) {
    expect((await without.call(method, to, body)).status).toBe(403);
    if (to === path) continue;
    const answer = await api.call(method, to, body);
    expect([answer.status, answer.body["message"]]).toEqual([404, "whitelist not found"]);
  }
});
