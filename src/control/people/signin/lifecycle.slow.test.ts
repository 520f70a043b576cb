/** A user's life from the invitation to the deletion, and the effect of allow lists at each step. */
import { generate } from "otplib";
import { describe, expect, test } from "vitest";
import { type Fields, startApi } from "../../../../test/service/api.ts";
import { Browser, goodPassword, portal, signedIn } from "../../../../test/service/browser.ts";
import { mailsTo } from "../../../../test/service/mails.ts";

const api = await startApi({ trustedProxies: ["127.0.0.1"] });
await api.must("PUT", "zones/example.com", {});
// an administrator with a password remains when the users below are deleted
await signedIn(api);
const [office, elsewhere] = ["192.0.2.7", "198.51.100.9"];
const from = (address: string) => new Browser(api.url, { "X-Forwarded-For": address });
const path = "account/users";
const email = (username: string) => `${username}@example.com`;

async function tokenOf(username: string, page: "invitation" | "reset", nth = 1): Promise<string> {
  const mails = () => mailsTo(api.directory, email(username));
  await expect.poll(async () => (await mails()).length).toBe(nth);
  return new RegExp(`${portal}/${page}#([\\w-]{43})`).exec((await mails())[nth - 1]!.text ?? "")![1]!;
}

async function create(username: string, fields: Fields = {}): Promise<string> {
  await api.must("PUT", path, { username, email: email(username), ...fields });
  return await tokenOf(username, "invitation");
}

test("a user is invited, sets a password, signs in, adds a second factor, reads zones and is deleted", async () => {
  const token = await create("ann", { name: "Ann" });
  const page = from(office);
  await page.must("POST", "auth/invitation", { token, password: goodPassword });
  expect((await api.call("POST", "account/reinvite/ann")).status).toBe(400);
  await page.must("POST", "auth/signout", {});
  expect((await page.signIn("Ann", goodPassword)).body["stage"]).toBe("full");
  const { secret } = await page.must("PUT", "auth/totp", { password: goodPassword });
  await page.must("POST", "auth/totp", { code: await generate({ secret: String(secret) }) });
  expect((await api.must(`GET`, `${path}/ann`))["2fa_enabled"]).toBe(true);
  expect((await page.must<Fields[]>("GET", "zones")).map(({ zone }) => zone)).toEqual(["example.com"]);
  await page.must("POST", "zones/example.com", { ttl: 77 });
  const [entry] = await api.must<Fields[]>("GET", "account/activity?resource_type=dns_zone&limit=1");
  expect(entry).toMatchObject({ user_type: "user", user_name: "ann", action: "update" });
  await expect.poll(async () => (await api.must("GET", `${path}/ann`))["last_access"]).toBeTypeOf("number");
  await api.must("DELETE", `${path}/ann`);
  expect((await page.call("GET", "zones")).status).toBe(401);
  expect((await from(office).signIn("ann", goodPassword)).status).toBe(401);
});

test("an invitation stops working after another one, and after the user is deleted", async () => {
  const first = await create("bob");
  await api.must("POST", "account/reinvite/bob");
  const second = await tokenOf("bob", "invitation", 2);
  const accept = (token: string) => from(office).call("POST", "auth/invitation", { token, password: goodPassword });
  expect((await accept(first)).status).toBe(400);
  await api.must("DELETE", `${path}/bob`);
  expect((await accept(second)).status).toBe(400);
});

test("a reset of the second factor ends the user's sessions, and the password alone signs in", async () => {
  const page = from(office);
  await page.must("POST", "auth/invitation", { token: await create("cora"), password: goodPassword });
  const { secret } = await page.must("PUT", "auth/totp", { password: goodPassword });
  await page.must("POST", "auth/totp", { code: await generate({ secret: String(secret) }) });
  expect((await from(office).signIn("cora", goodPassword)).body["stage"]).toBe("second_factor");
  expect((await api.call("DELETE", "account/2factor/reset/cora")).status).toBe(200);
  expect((await page.call("GET", "zones")).status).toBe(401);
  expect((await from(office).signIn("cora", goodPassword)).body["stage"]).toBe("full");
});

test("a suspended account has no usable sessions, and its users cannot sign in", async () => {
  const page = from(office);
  await page.must("POST", "auth/invitation", { token: await create("gus"), password: goodPassword });
  const suspend = (suspended_at: number | null) => api.store.db.updateTable("account").set({ suspended_at }).execute();
  const status = async () => (await page.call("GET", "zones")).status;
  await suspend(1);
  await expect.poll(status).toBe(403);
  expect((await page.call("GET", "auth/session")).status).toBe(403);
  expect((await from(office).signIn("gus", goodPassword)).status).toBe(403);
  await suspend(null);
  await expect.poll(status).toBe(200);
});

test("removed rights apply from the session's next request", async () => {
  const page = from(office);
  await page.must("POST", "auth/invitation", { token: await create("dora"), password: goodPassword });
  await page.must("POST", "zones/example.com", { ttl: 78 });
  await api.must("POST", `${path}/dora`, { permissions: { dns: { manage_zones: false } } });
  expect((await page.call("POST", "zones/example.com", { ttl: 79 })).status).toBe(403);
});

describe("an allow list", () => {
  test("of the user applies to invitations, passwords, links and every request", async () => {
    const strict = { ip_whitelist: [office], ip_whitelist_strict: true };
    const token = await create("eve", strict);
    const accept = (address: string) =>
      from(address).call("POST", "auth/invitation", { token, password: goodPassword });
    expect((await accept(elsewhere)).status).toBe(403);
    expect((await accept(office)).status).toBe(200);
    expect((await from(elsewhere).signIn("eve", goodPassword)).status).toBe(401);
    expect((await from(elsewhere).signIn("eve", "not the password")).status).toBe(401);
    const page = from(office);
    expect((await page.signIn("eve", goodPassword)).status).toBe(200);
    const moved = from(elsewhere);
    moved.cookie = page.cookie;
    expect((await moved.call("GET", "zones")).status).toBe(403);
    expect((await moved.call("GET", "auth/session")).status).toBe(403);
    await from(elsewhere).must("POST", "auth/forgot", { username: "eve" });
    const link = await tokenOf("eve", "reset", 2);
    const reset = { token: link, password: "another horse battery" };
    expect((await from(elsewhere).call("POST", "auth/reset", reset)).status).toBe(403);
    expect((await page.call("GET", "zones")).status).toBe(200);
    await api.must("POST", `${path}/eve`, { ip_whitelist: [elsewhere] });
    expect((await page.call("GET", "zones")).status).toBe(403);
    expect((await moved.call("GET", "zones")).status).toBe(200);
  });

  test("of a team, and of the account, applies as well", async () => {
    const { id } = await api.must("PUT", "account/teams", {
      name: "office",
      ip_whitelist: [{ name: "office", values: [office] }],
    });
    const token = await create("fay", { teams: [id] });
    const accept = (address: string) =>
      from(address).call("POST", "auth/invitation", { token, password: goodPassword });
    expect((await accept(elsewhere)).status).toBe(403);
    expect((await accept(office)).status).toBe(200);
    const page = from(office);
    await page.signIn("fay", goodPassword);
    expect((await page.call("GET", "zones")).status).toBe(200);
    const list = await api.must("PUT", "account/whitelist", { name: "house", values: ["127.0.0.1", elsewhere] });
    expect((await page.call("GET", "zones")).status).toBe(403);
    expect((await from(office).signIn("fay", goodPassword)).status).toBe(401);
    await api.must("DELETE", `account/whitelist/${list["id"]}`);
    expect((await page.call("GET", "zones")).status).toBe(200);
  });
});
