/** The first user signs in with the link of a start, and sets a password. */
import { request } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fakeClock } from "../../../../test/machine/clock.ts";
import { type Fields, startApi } from "../../../../test/service/api.ts";
import { Browser, goodPassword, portal } from "../../../../test/service/browser.ts";
import { masterKeys, secretsFrom } from "../../../lib/secrets.ts";
import { makeFirstToken } from "../operator/first-link.ts";

const clock = fakeClock(Date.now());
const api = await startApi({ clock, trustedProxies: ["127.0.0.1"] });
const secrets = secretsFrom(masterKeys(join(api.directory, "master.key")));
const newToken = async () =>
  (await makeFirstToken(api.store, { secrets, now: Math.floor(clock.now() / 1000) }))?.token ?? "";
const signIn = (page: Browser, token: string, headers = {}) => page.call("POST", "auth/first", { token }, headers);

test("the link signs in once, and is stored as a hash only", async () => {
  const token = await newToken();
  const rows = JSON.stringify(await api.store.db.selectFrom("user_token").selectAll().execute());
  expect([token.length, rows.includes(token)]).toEqual([43, false]);
  const pages = [1, 2, 3].map(() => new Browser(api.url));
  const answers = await Promise.all(pages.map((page) => signIn(page, token)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
  const first = answers.findIndex(({ status }) => status === 200);
  expect(answers[first]!.body).toMatchObject({ stage: "full", user: { username: "admin", has_password: false } });
  expect(await pages[first]!.must("GET", "zones")).toEqual([]);
  const log = await api.must<Fields[]>("GET", "account/activity?resource_type=user");
  expect(log.map(({ action, user_name }) => [action, user_name])).toEqual([
    ["first_sign_in", "admin"],
    ["first_link", "fairlead serve"],
  ]);
});

const refused: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["a page of another site", { Origin: "https://evil.example" }],
  ["a client that a proxy reports", { "X-Forwarded-For": "192.0.2.1" }],
  ["a proxy that reports a client on loopback", { "X-Forwarded-For": "127.0.0.1" }],
  ["a proxy that reports a host", { "X-Forwarded-Host": "localhost" }],
  ["a proxy that says so (RFC 7239)", { Forwarded: "for=127.0.0.1" }],
  ["a proxy that only names itself", { Via: "1.1 proxy" }],
  ["a proxy with X-Real-IP", { "X-Real-IP": "127.0.0.1" }],
  ["a name that leads here", { Host: "fairlead.evil.example" }],
  ["a Host that begins like loopback", { Host: "127.0.0.1.evil.example:8080" }],
];

test.each(refused)("the link is refused, and stays, for %s", async (_, headers) => {
  const token = await newToken();
  expect(await post({ ...headers }, token)).toBe(403);
  expect((await signIn(new Browser(api.url), token)).status).toBe(200);
});

test.each(["localhost", "127.0.0.1:9000", "[::1]:8080"])("the link works at the host %s", async (host) => {
  expect(await post({ Host: host }, await newToken())).toBe(200);
});

/** `fetch` would send a Host of its own. */
function post(headers: Readonly<Record<string, string>>, token: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const usual = { Origin: portal, "Content-Type": "application/json" };
    const sent = request(`${api.url}/v1/auth/first`, { method: "POST", headers: { ...usual, ...headers } }, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    });
    sent.on("error", reject).end(JSON.stringify({ token }));
  });
}

test("reading the link's page or endpoint uses nothing up", async () => {
  const token = await newToken();
  expect((await fetch(`${api.url}/v1/auth/first?token=${token}`)).status).toBe(405);
  expect((await signIn(new Browser(api.url), token)).status).toBe(200);
});

test("the link ends after 15 minutes, and with the next one", async () => {
  const former = await newToken();
  const token = await newToken();
  expect((await signIn(new Browser(api.url), former)).status).toBe(400);
  clock.advance(15 * 60_000 - 1000);
  expect((await signIn(new Browser(api.url), token)).status).toBe(200);
  const late = await newToken();
  clock.advance(15 * 60_000);
  expect(await signIn(new Browser(api.url), late)).toMatchObject({
    status: 400,
    body: { details: { field: "token" } },
  });
});

test("a suspended account gets no link, and one that was made does not work", async () => {
  const token = await newToken();
  const suspend = (suspended_at: number | null) => api.store.db.updateTable("account").set({ suspended_at }).execute();
  await suspend(1);
  expect(await newToken()).toBe("");
  expect((await signIn(new Browser(api.url), token)).status).toBe(403);
  await suspend(null);
});

test("the user sets a first password without one, once: it ends other sessions, and there is no link any more", async () => {
  const [page, second] = [new Browser(api.url), new Browser(api.url)];
  for (const each of [page, second]) expect((await signIn(each, await newToken())).status).toBe(200);
  const token = await newToken();
  expect((await page.call("POST", "auth/password", { new_password: "short" })).body).toMatchObject({
    details: { field: "password" },
  });
  const set = (each: Browser) => each.call("POST", "auth/password", { new_password: goodPassword });
  const statuses = (await Promise.all([set(page), set(second)])).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, expect.toSatisfy((status) => status === 400 || status === 401)]);
  const [kept, ended] = statuses[0] === 200 ? [page, second] : [second, page];
  expect((await ended.call("GET", "zones")).status).toBe(401);
  expect(await kept.must("GET", "auth/session")).toMatchObject({ user: { has_password: true } });
  expect(await set(kept)).toMatchObject({
    status: 400,
    body: { message: "password: the current password is required", details: { field: "password" } },
  });
  expect((await signIn(new Browser(api.url), token)).status).toBe(400);
  expect(await newToken()).toBe("");
  expect((await new Browser(api.url).signIn("admin", goodPassword)).status).toBe(200);
  const changed = { password: goodPassword, new_password: "another horse battery" };
  await kept.must("POST", "auth/password", changed);
});
