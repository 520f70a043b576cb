/** An administrator who can sign in always remains once there is one, and an administrator's key until then. */
import { expect, test } from "vitest";
import { type Client, type Fields, startApi } from "../../../../test/service/api.ts";
import { newId } from "../../../lib/ids.ts";
import { setPassword } from "../credentials/credential-store.ts";

const api = await startApi();
const [keys, users] = ["account/apikeys", "account/users"];
const keysAlone = { account: { manage_users: false } };
const lastKey = [
  400,
  "the last API key with the permissions manage_users and manage_apikeys must stay until a user with both has set a " +
    "password",
];

/** A full key besides one that only manages keys, and a user who has set no password. */
async function account() {
  const full = await api.stranger();
  const [key] = await full.must<{ id: string }[]>("GET", keys);
  const made = await full.must("PUT", keys, { name: newId(), permissions: keysAlone });
  return { full, id: `${key?.id}`, other: api.client(String(made["key"])) };
}

const outcome = async (by: Client, method: string, path: string, body?: object) => {
  const answer = await by.call(method, path, body as Fields | undefined);
  return answer.status === 200 ? 200 : [answer.status, answer.body["message"]];
};

async function enter(by: Client, fields: object = {}): Promise<string> {
  const username = newId();
  await by.must("PUT", users, { username, email: `${username}@example.com`, ...fields });
  const { db } = api.store;
  const user = db.selectFrom("account_user").select(["account_id", "id"]).where("username", "=", username);
  await setPassword(db, await user.executeTakeFirstOrThrow(), "a hash");
  return username;
}

test("the last administrator's key stays while no administrator can sign in", async () => {
  const { full, id } = await account();
  const shut = { ip_whitelist: [], ip_whitelist_strict: true };
  expect(await outcome(full, "DELETE", `${keys}/${id}`)).toEqual(lastKey);
  expect(await outcome(full, "POST", `${keys}/${id}`, { permissions: keysAlone })).toEqual(lastKey);
  const second = await full.must("PUT", keys, { name: newId() });
  expect(await outcome(full, "POST", `${keys}/${second["id"]}`, shut)).toBe(200);
  expect(await outcome(full, "DELETE", `${keys}/${id}`)).toEqual(lastKey);
  await full.must("PUT", keys, { name: newId(), expiry_duration: "30d" });
  expect(await outcome(full, "DELETE", `${keys}/${id}`)).toEqual(lastKey);
  await enter(full, { permissions: keysAlone });
  expect(await outcome(full, "DELETE", `${keys}/${id}`)).toEqual(lastKey);
  await full.must("PUT", keys, { name: newId() });
  expect(await outcome(full, "DELETE", `${keys}/${id}`)).toBe(200);
});

test("the last administrator's key or the last administrator who can sign in stays", async () => {
  const first = await account();
  const username = await enter(first.full);
  const lastUser = [
    400,
    "the last user who has set a password with the permissions manage_users and manage_apikeys must stay until another one " +
      "has set a password",
  ];
  const path = `${users}/${username}`;
  // neither a user who has only been invited nor a key takes the place of the last person
  await first.full.must("PUT", users, { username: newId(), email: "invited@example.com" });
  expect(await outcome(first.full, "DELETE", path)).toEqual(lastUser);
  expect(await outcome(first.full, "POST", path, { permissions: keysAlone })).toEqual(lastUser);
  await enter(first.full);
  await first.full.must("DELETE", path);
  const second = await account();
  await enter(second.full);
  const other = await second.full.must("PUT", keys, { name: newId() });
  await second.full.must("DELETE", `${keys}/${second.id}`);
  const by = api.client(String(other["key"]));
  expect(await outcome(by, "POST", `${keys}/${other["id"]}`, { permissions: keysAlone })).toBe(200);
});

test("a key in a team: a change of the team may not remove the last administrator", async () => {
  const { full, id } = await account();
  const team = (await full.must("PUT", "account/teams", { name: newId() }))["id"];
  await full.must("POST", `${keys}/${id}`, { teams: [team] });
  const cut = () => outcome(full, "POST", `account/teams/${team}`, { permissions: keysAlone });
  expect(await cut()).toEqual(lastKey);
  const username = await enter(full, { teams: [team] });
  expect(await cut()).toEqual(lastKey);
  const rest = (await full.must("PUT", "account/teams", { name: newId() }))["id"];
  await full.must("POST", `${users}/${username}`, { teams: [team, rest] });
  expect(await cut()).toBe(200);
});
