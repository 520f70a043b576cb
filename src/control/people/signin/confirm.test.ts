/** A session whose password was not given lately gives nobody access. */
import { generate } from "otplib";
import { beforeEach, expect, test } from "vitest";
import { fakeClock } from "../../../../test/machine/clock.ts";
import { type Fields, startApi } from "../../../../test/service/api.ts";
import { type Browser, goodPassword, signedIn } from "../../../../test/service/browser.ts";

const clock = fakeClock(Date.now());
const api = await startApi({ clock, trustedProxies: ["127.0.0.1"] });

/** Longer than a password counts as given lately. */
const late = 901_000;

let page: Browser;
let user: { readonly id: string; readonly username: string };
beforeEach(async () => {
  ({ page, user } = await signedIn(api));
});

let keys = 0;
const addKey = (by: Pick<Browser, "call"> = page) => by.call("PUT", "account/apikeys", { name: `key ${++keys}` });
const confirm = (body: Fields) => page.call("POST", "auth/confirm", body);

test("it reads and changes zones, and changes keys, users and lists only after the password", async () => {
  expect((await addKey()).status).toBe(200);
  clock.advance(late);
  const refused = await addKey();
  expect([refused.status, refused.body]).toEqual([
    403,
    { message: expect.stringContaining("POST /v1/auth/confirm"), code: "denied", details: { confirm: "password" } },
  ]);
  const writes = [
    ["PUT", "account/users", { username: "x", email: "x@example.net" }],
    ["POST", `account/users/${user.username}`, { name: "another" }],
    ["PUT", "account/teams", { name: "a team" }],
    ["PUT", "account/whitelist", { name: "a list", values: ["192.0.2.0/24"] }],
    ["POST", "account/twofactor", { required: true }],
  ] as const;
  for (const [method, path, body] of writes) expect((await page.call(method, path, body)).status).toBe(403);
  expect((await page.call("GET", "account/apikeys")).status).toBe(200);
  expect((await page.call("PUT", "zones/late.example", { zone: "late.example" })).status).toBe(200);
  await confirm({ password: goodPassword });
  expect((await addKey()).status).toBe(200);
  clock.advance(late);
  expect((await addKey()).status).toBe(403);
});

test("a wrong password is refused at its field, is in the activity log, and confirms nothing", async () => {
  clock.advance(late);
  const { status, body } = await confirm({ password: "not the password" });
  expect([status, body["details"]]).toEqual([401, { field: "password" }]);
  expect((await addKey()).status).toBe(403);
  const actions = async () =>
    (await api.must<Fields[]>("GET", `account/activity?user=${user.id}`)).map(({ action }) => action);
  await expect.poll(actions, { timeout: 20_000 }).toContain("password_failed");
  await confirm({ password: goodPassword });
  expect(await actions()).toContain("password_confirm");
});

test("a second factor is needed, too", async () => {
  const { secret } = await page.must("PUT", "auth/totp", { password: goodPassword });
  const code = () => generate({ secret: String(secret), epoch: clock.now() / 1000 });
  await page.must("POST", "auth/totp", { code: await code() });
  clock.advance(late);
  expect((await confirm({ password: goodPassword })).status).toBe(400);
  expect((await confirm({ password: goodPassword, code: "000000" })).status).toBe(401);
  expect((await addKey()).status).toBe(403);
  expect((await confirm({ password: goodPassword, code: await code() })).status).toBe(200);
  expect((await addKey()).status).toBe(200);
});

test("keys are never asked, and another session of the user stays as it is", async () => {
  const { page: other } = await signedIn(api);
  clock.advance(late);
  await confirm({ password: goodPassword });
  expect((await addKey()).status).toBe(200);
  expect((await addKey(other)).status).toBe(403);
  expect((await api.call("PUT", "account/apikeys", { name: "by a key" })).status).toBe(200);
});
