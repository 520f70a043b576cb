/** Several accounts in one installation: created, suspended and resumed by the operator. */
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type Client, type Fields, startApi } from "../../../../test/service/api.ts";
import { Browser, goodPassword, type Invited, signedIn } from "../../../../test/service/browser.ts";
import { masterKeys, secretsFrom } from "../../../lib/secrets.ts";
import { type Credentials, createAccount, getAccount } from "./accounts.ts";
import { listAccounts, sizeOf } from "./accounts-store.ts";
import { resumeAccount, suspendAccount } from "./suspension.ts";

const api = await startApi();
const { store } = api;
const secrets = secretsFrom(masterKeys(join(api.directory, "master.key")));
const now = Math.floor(Date.now() / 1000);

async function made(name: string): Promise<{ credentials: Credentials; client: Client }> {
  const kept: Credentials[] = [];
  const wish = { name, username: `${name}-admin`, email: "" };
  const credentials = await createAccount(store, secrets, wish, now, async (made) => void kept.push(made));
  expect(kept).toEqual([credentials]);
  return { credentials, client: api.client(credentials.key) };
}

const lastEntry = async (client: Client) => (await client.must<Fields[]>("GET", "account/activity?limit=1"))[0];

test("an account is created with a user and a key that have every right, and sees nothing of other accounts", async () => {
  await api.must("PUT", "zones/first.example", {});
  const { credentials, client } = await made("second");
  expect(await client.must("GET", "zones")).toEqual([]);
  expect(await lastEntry(client)).toMatchObject({ resource_type: "account", action: "create", user_type: "system" });
  await client.must("PUT", "zones/second.example", {});
  expect(await sizeOf(store.db, credentials.account_id)).toEqual({ zones: 1, users: 1, keys: 1 });
  expect((await listAccounts(store.db)).map(({ name }) => name).sort()).toEqual(["first", "second"]);
});

test("names of accounts and logins are unique, and invalid ones are refused", async () => {
  const create = (wish: object) =>
    createAccount(store, secrets, { name: "third", username: "third", email: "", ...wish }, now, fail);
  const fail = async () => {
    throw new Error("the key cannot be kept");
  };
  await expect(create({ name: "first" })).rejects.toThrow('there is an account "first" already');
  await expect(create({ username: "Admin" })).rejects.toThrow('the username "Admin" is in use');
  await expect(create({ name: "a\u001b[2J" })).rejects.toThrow("without control characters");
  await expect(create({ username: "two words" })).rejects.toThrow("is not a valid username");
  await expect(create({})).rejects.toThrow("the key cannot be kept");
  await expect(getAccount(store.db, "third")).rejects.toThrow('there is no account "third"');
});

test("an account is found by its name in any case, unless another account has exactly that name, or several have it", async () => {
  const { credentials } = await made("Acme");
  expect(await getAccount(store.db, "aCME")).toMatchObject({ id: credentials.account_id, name: "Acme" });
  const other = await made("acme-2");
  await store.db.updateTable("account").set({ name: "acme" }).where("id", "=", other.credentials.account_id).execute();
  expect((await getAccount(store.db, "acme")).id).toBe(other.credentials.account_id);
  await expect(getAccount(store.db, "ACME")).rejects.toThrow(
    new RegExp(`several accounts have the name "ACME": use the id, one of .*${credentials.account_id} \\(Acme\\)`),
  );
});

describe("a suspended account", () => {
  let client: Client;
  let account: Awaited<ReturnType<typeof getAccount>>;
  let push: string;
  let user: Invited;
  let page: Browser;
  const shown = ["shown.example", "hidden.example"];
  const zones = async () =>
    await store.db.selectFrom("zone").selectAll().where("zone", "in", shown).orderBy("zone").execute();

  beforeAll(async () => {
    const { credentials, ...rest } = await made("suspended");
    ({ client } = rest);
    ({ user, page } = await signedIn(api, { account_id: credentials.account_id }));
    account = await getAccount(store.db, "suspended");
    await client.must("PUT", "zones/shown.example", {});
    await client.must("PUT", "zones/hidden.example", { disabled: true });
    const source = await client.must("PUT", "data/sources", { name: "s", sourcetype: "nsone_v1" });
    const feed = { name: "f", config: { label: "f" } };
    push = `feed/${(await client.must("PUT", `data/feeds/${source["id"]}`, feed))["id"]}`;
  });

  test("has all its requests refused within a second, until it is resumed", async () => {
    expect(await suspendAccount(store, account, { stopAnswering: false, now })).toBe(true);
    expect(await suspendAccount(store, account, { stopAnswering: false, now })).toBe(false);
    const refused = async (method: string, path: string, body?: Fields) => {
      const answer = await client.call(method, path, body);
      return [answer.status, answer.body["message"], answer.body["details"]];
    };
    const refusal = [403, "the account is suspended; contact the operator of this service", { reason: "suspended" }];
    await expect.poll(() => refused("GET", "zones")).toEqual(refusal);
    expect(await refused("POST", push, { up: true })).toEqual(refusal);
    expect(await refused("PUT", "import/zonefile/more.example")).toEqual(refusal);
    expect(await refused("GET", "networks")).toEqual(refusal);
    const ofPage = async (method: string, path: string, body?: Fields) => {
      const answer = await page.call(method, path, body);
      return [answer.status, answer.body["message"]];
    };
    for (const path of ["zones", "auth/session", "auth/sessions"]) {
      expect([path, ...(await ofPage("GET", path))]).toEqual([path, ...refusal.slice(0, 2)]);
    }
    const signIn = await new Browser(api.url).signIn(user.username, goodPassword);
    expect([signIn.status, signIn.body["message"]]).toEqual(refusal.slice(0, 2));
    expect((await api.call("GET", "zones")).status).toBe(200);
    expect((await zones()).map(({ disabled }) => disabled)).toEqual([true, false]);

    expect(await resumeAccount(store, account, now)).toBe(true);
    expect(await resumeAccount(store, account, now)).toBe(false);
    await expect.poll(async () => (await client.call("GET", "zones")).status).toBe(200);
    const entries = await client.must<Fields[]>("GET", "account/activity?");
    expect(entries.flatMap(({ resource_type, user_name }) => (resource_type === "account" ? user_name : []))).toEqual(
      expect.arrayContaining(["suspend", "resume"].map((act) => `fairlead account ${act}`)),
    );
  });

  test("has its zones disabled when serving is to stop, and enabled again as before", async () => {
    const before = await zones();
    expect(await suspendAccount(store, account, { stopAnswering: true, now })).toBe(true);
    expect((await zones()).map(({ disabled, withheld }) => [disabled, withheld])).toEqual([
      [true, false],
      [true, true],
    ]);
    expect(await suspendAccount(store, account, { stopAnswering: true, now })).toBe(false);
    expect(await resumeAccount(store, account, now)).toBe(true);
    expect(await zones()).toEqual(before);
    const changes = store.db.selectFrom("change").select("body").where("body", "like", "%shown.example%");
    const states = (await changes.orderBy("seq").execute()).map(({ body }) => /"disabled":(\w+)/.exec(body)?.[1]);
    expect(states).toEqual(["false", "true", "false"]);
  });
});
