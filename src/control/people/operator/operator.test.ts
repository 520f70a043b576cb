/** Accounts of the operator: who gets the rights over the whole installation, and where these have an effect. */
import { expect, test } from "vitest";
import { newestAccount } from "../../../../test/service/accounts.ts";
import { type Client, type Fields, startApi } from "../../../../test/service/api.ts";
import { signedIn } from "../../../../test/service/browser.ts";
import { getAccount } from "./accounts.ts";
import { adoptFirstAccount, beginOperator, endOperator } from "./operator.ts";

const api = await startApi();
const rights = { view: true, manage: true };
const now = () => Math.floor(Date.now() / 1000);
const statusOf = async (client: Pick<Client, "call">) => (await client.call("GET", "operator/accounts")).status;
/** The service learns within a second of what a command has changed. */
const becomes = (client: Pick<Client, "call">, status: number) =>
  expect.poll(() => statusOf(client), { timeout: 5000 }).toBe(status);

async function ownKey(client: Client): Promise<{ id: string; permissions: Fields }> {
  const keys = await client.must<{ id: string; permissions: Fields; last_access: number | null }[]>(
    "GET",
    "account/apikeys",
  );
  return keys[0]!;
}

async function stranger() {
  const client = await api.stranger();
  return { client, account: await getAccount(api.store.db, await newestAccount(api.store)) };
}

test("the first key and the first user have both rights, explicitly", async () => {
  expect(await statusOf(api)).toBe(200);
  expect((await ownKey(api)).permissions["operator"]).toEqual(rights);
  expect((await api.must("GET", "account/users/admin"))["permissions"]).toMatchObject({ operator: rights });
});

test("no omission grants them, and only who has them gives them", async () => {
  const plain = await api.limited({ account: { manage_auth_keys: true } });
  const answer = await plain.call("GET", "operator/accounts");
  expect(answer).toMatchObject({ status: 403, body: { message: "You do not have the permission operator.view" } });
  const wish = (permissions: Fields) => ({ name: "more", permissions });
  expect(await plain.call("PUT", "account/apikeys", wish({ operator: { view: true } }))).toMatchObject({
    status: 403,
    body: { message: "You are not allowed to modify the following permissions: operator.view" },
  });
  const denying = await api.limited({ default: "deny", operator: { view: true } });
  expect([await statusOf(denying), (await denying.call("GET", "zones")).status]).toEqual([200, 403]);
  const preset = await api.must("PUT", "account/apikeys", { name: "reader", preset: { name: "read-only" } });
  expect(await statusOf(api.client(String(preset["key"])))).toBe(403);
  const { page } = await signedIn(api, { permissions: {} });
  expect(await statusOf(page)).toBe(403);
});

test("in another account they have no effect, until a command makes it one of the operator", async () => {
  const { client, account } = await stranger();
  const { id } = await ownKey(client);
  const effective = async () => {
    const { rights } = await client.must<{ rights: (Fields & { right: string })[] }>(
      "GET",
      `account/apikeys/${id}/effective`,
    );
    return rights.find(({ right }) => right === "operator.view");
  };
  const weak = await client.must("PUT", "account/apikeys", { name: "weak", permissions: {} });
  const team = await client.must("PUT", "account/teams", { name: "all" });
  await client.must("PUT", "account/apikeys", { name: "member", teams: [team["id"]] });
  expect(await statusOf(client)).toBe(403);
  expect(await effective()).toMatchObject({ allowed: false, reasons: [{ reason: "not an account of the operator" }] });

  const { changed, given } = await beginOperator(api.store, account, {}, now());
  expect([changed, given.users.length, given.keys.map((key) => key.id)]).toEqual([true, 1, [id]]);
  await becomes(client, 200);
  expect(await effective()).toMatchObject({ allowed: true, reasons: [{ reason: "given" }] });
  expect(await statusOf(api.client(String(weak["key"])))).toBe(403);
  expect((await beginOperator(api.store, account, {}, now())).changed).toBe(false);

  expect(await endOperator(api.store, account, now())).toBe(true);
  await becomes(client, 403);
  expect((await ownKey(client)).permissions["operator"]).toEqual(rights);
  expect(await client.call("GET", `account/apikeys/${id}/effective`)).toMatchObject({ status: 200 });
  expect(await endOperator(api.store, account, now())).toBe(false);
  const log = await client.must<Fields[]>("GET", "account/activity?resource_type=account");
  const entries = log.map(({ user_name, resource }) => [user_name, (resource as Fields)["operator"]]);
  expect(entries).toEqual([false, true].map((operator) => ["fairlead account operator", operator]));
});

test("a command names who gets them, except members of teams, whose rights are those of the team", async () => {
  const { client, account } = await stranger();
  const weak = await client.must("PUT", "account/apikeys", {
    name: "weak",
    permissions: { dns: { view_zones: false } },
  });
  const team = await client.must("PUT", "account/teams", { name: "all" });
  const member = await client.must("PUT", "account/apikeys", { name: "member", teams: [team["id"]] });
  const give = (...keys: readonly unknown[]) => beginOperator(api.store, account, { keys: keys.map(String) }, now());
  await expect(give(member["id"])).rejects.toThrow(/is in a team/);
  await expect(give("nobody")).rejects.toThrow('the account has no key "nobody"');
  await expect(beginOperator(api.store, account, { users: ["nobody"] }, now())).rejects.toThrow(/no user "nobody"/);
  expect((await getAccount(api.store.db, account.id)).operator).toBe(false);
  await give(weak["id"]);
  await becomes(api.client(String(weak["key"])), 200);
  expect(await statusOf(client)).toBe(403);
});

test("a start with a store of an earlier version makes the first account the operator's, once", async () => {
  const { store } = api;
  const first = await getAccount(store.db, "first");
  const { id } = await ownKey(api);
  await api.must("PUT", "account/apikeys", { name: "narrow", permissions: { dns: { zones_deny: ["a.example"] } } });
  // as an earlier version left it
  await store.db.deleteFrom("setting").where("name", "=", "operator_account").execute();
  await store.db.updateTable("account").set({ operator: false }).where("id", "=", first.id).execute();
  const permissions = JSON.stringify({ account: { manage_auth_keys: true } });
  await store.db.updateTable("api_key").set({ permissions }).where("id", "=", id).execute();
  await becomes(api, 403);
  await store.transaction((tx) => adoptFirstAccount(tx));
  await becomes(api, 200);
  const keys = await api.must<{ name: string; permissions: { operator: object } }[]>("GET", "account/apikeys");
  const having = keys.filter((key) => JSON.stringify(key.permissions.operator) === JSON.stringify(rights));
  expect(having.map(({ name }) => name)).toContain("first key");
  expect(having.map(({ name }) => name)).not.toContain("narrow");

  await endOperator(store, first, now());
  await store.transaction((tx) => adoptFirstAccount(tx));
  await becomes(api, 403);
});
