/** The rescue on the host, for a whole account or for named keys and users. */
import { expect, test } from "vitest";
import { type Client, type Fields, startApi } from "../../../../test/service/api.ts";
import { getAccount } from "./accounts.ts";
import { rescueAccounts } from "./rescue.ts";

const api = await startApi({ trustedProxies: ["127.0.0.1"] });
const [here, elsewhere] = ["127.0.0.1", "198.51.100.9"] as const;
const strict = { ip_whitelist: [here], ip_whitelist_strict: true };
const statusFrom = async (by: Client, address: string) =>
  (await by.call("GET", "zones", undefined, { "X-Forwarded-For": address })).status;
const holding = (found: Fields) => found["ip_whitelist_strict"];

test("the strict lists of an account's only key and only user are turned off, and the lists of other accounts stay", async () => {
  const account = await getAccount(api.store.db, "first");
  const [key] = await api.must<Fields[]>("GET", "account/apikeys");
  await api.must("POST", `account/apikeys/${key!["id"]}`, strict);
  await api.must("POST", "account/users/admin", strict);
  const other = await api.stranger();
  const list = await other.must("PUT", "account/whitelist", { name: "list", values: [here] });
  expect(await statusFrom(api, elsewhere)).toBe(403);

  const [lists] = await rescueAccounts(api.store, [account], {}, 0);
  expect(lists).toMatchObject({ lists: [], keys: [], users: [], held: { keys: 1, users: 1 } });
  const [byUser] = await rescueAccounts(api.store, [account], { users: ["Admin"] }, 0);
  expect(byUser).toMatchObject({ users: [{ username: "admin", ...strict }], held: { keys: 1, users: 0 } });
  const [all] = await rescueAccounts(api.store, [account], { strict: true }, 0);
  expect(all).toMatchObject({ keys: [{ id: key!["id"], ...strict }], users: [], held: { keys: 0, users: 0 } });

  await expect.poll(() => statusFrom(api, elsewhere)).toBe(200);
  expect(holding(await api.must("GET", `account/apikeys/${key!["id"]}`))).toBe(false);
  expect(holding(await api.must("GET", "account/users/admin"))).toBe(false);
  const entries = await api.must<Fields[]>("GET", "account/activity");
  const entry = { user_name: "fairlead store clear-allow-lists", before: { ip_whitelist_strict: true } };
  expect(entries.filter(({ user_type }) => user_type === "system")).toMatchObject([
    { ...entry, resource_type: "apikey", resource_id: key!["id"] },
    { ...entry, resource_type: "user" },
  ]);
  expect(await other.must("GET", `account/whitelist/${list["id"]}`)).toEqual(list);
});

test("with a named key the lists stay, and unknown keys and users are refused", async () => {
  const account = await getAccount(api.store.db, "first");
  const list = await api.must("PUT", "account/whitelist", { name: "list", values: [here] });
  const { id } = await api.must("PUT", "account/apikeys", { name: "held", ...strict });
  const [freed] = await rescueAccounts(api.store, [account], { keys: [String(id)] }, 0);
  expect(freed).toMatchObject({ lists: [], keys: [{ id }], held: { keys: 0, users: 0 } });
  expect(await api.must("GET", `account/whitelist/${list["id"]}`)).toEqual(list);
  const wrong = (wish: object) => rescueAccounts(api.store, [account], wish, 0);
  await expect(wrong({ keys: ["none"] })).rejects.toThrow('account first has no key "none"');
  await expect(wrong({ users: ["nobody"] })).rejects.toThrow('account first has no user "nobody"');
  await expect(wrong({ strict: true, users: ["admin"] })).rejects.toThrow("--strict applies to all");
});
