/** Signing in with a password over HTTP: invitations, links and sessions. */
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { newestAccount } from "../../../../test/service/accounts.ts";
import { type Fields, startApi } from "../../../../test/service/api.ts";
import { Browser, goodPassword, invited, portal, signedIn } from "../../../../test/service/browser.ts";
import { mailsTo } from "../../../../test/service/mails.ts";
import { newId } from "../../../lib/ids.ts";

const api = await startApi({ trustedProxies: ["127.0.0.1"] });
const other = "another horse battery";
let count = 0;
/** A browser with an address of its own, so that tests do not share their guesses. */
const browser = (address = `192.0.2.${++count}`) => new Browser(api.url, { "X-Forwarded-For": address });
const entriesOf = (id: string) => api.must<Fields[]>("GET", `account/activity?user=${id}&limit=1000`);
const actionsOf = async (id: string) => (await entriesOf(id)).map(({ action }) => action);

test("an invitation sets a password and signs in; the session is a caller on every route", async () => {
  const user = await invited(api, { permissions: { dns: { manage_zones: false } } });
  const page = browser();
  const answer = await page.call("POST", "auth/invitation", { token: user.token, password: goodPassword });
  expect([answer.status, answer.body["stage"]]).toEqual([200, "full"]);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("set-cookie")).toMatch(
    /^__Host-fairlead=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  );
  expect(await page.must("GET", "zones")).toEqual(expect.any(Array));
  expect((await page.call("PUT", "zones/x.example", {})).body["message"]).toContain("manage_zones");
  expect(await page.must("GET", "auth/session")).toMatchObject({ stage: "full", user: { username: user.username } });
  expect((await entriesOf(user.id))[0]).toMatchObject({
    user_type: "user",
    user_name: user.username,
    action: "password_set",
  });
});

test("a link of either kind leads to a page that sends no Referer and is not stored", async () => {
  const { link } = await invited(api);
  for (const path of [new URL(link).pathname, "/reset"]) {
    const { status, headers } = await fetch(api.url + path);
    const values = ["content-type", "cache-control", "referrer-policy"].map((name) => headers.get(name));
    expect([status, ...values]).toEqual([200, "text/html; charset=utf-8", "no-store", "no-referrer"]);
  }
});

describe("an invitation", () => {
  const accept = (token: string) => browser().call("POST", "auth/invitation", { token, password: goodPassword });

  test("works once, also when sent twice at the same time", async () => {
    const { token } = await invited(api);
    const statuses = (await Promise.all([accept(token), accept(token), accept(token)])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 400, 400]);
    expect((await accept(token)).status).toBe(400);
  });

  test("is not used up by a refused password, and works for its own user only", async () => {
    const { token, username } = await invited(api);
    const page = browser();
    for (const password of ["short", "aaaaaaaaaaaaaaaaa", `my ${username} again`, "x".repeat(300)]) {
      const answer = await page.call("POST", "auth/invitation", { token, password });
      expect([answer.status, answer.body["code"]]).toEqual([400, "invalid"]);
    }
    await page.must("POST", "auth/invitation", { token, password: goodPassword });
    expect(await page.must("GET", "auth/session")).toMatchObject({ user: { username } });
  });

  test("does not work as a token of another kind, and a made-up token does not work", async () => {
    const { token } = await invited(api);
    const page = browser();
    expect((await page.call("POST", "auth/reset", { token, password: goodPassword })).status).toBe(400);
    expect((await page.call("POST", "auth/invitation", { token: `${token}x`, password: goodPassword })).status).toBe(
      400,
    );
  });
});

test("a password signs in with any case of the name; a wrong password and an unknown user get the same refusal", async () => {
  const { user } = await signedIn(api);
  const page = browser();
  expect((await page.signIn(user.username.toUpperCase(), goodPassword)).status).toBe(200);
  const wrong = await browser().signIn(user.username, other);
  const nobody = await browser().signIn("nobody at all", other);
  const notYet = await browser().signIn((await invited(api)).username, other);
  for (const answer of [wrong, nobody, notYet]) {
    expect([answer.status, answer.text]).toEqual([401, wrong.text]);
    expect([...answer.headers.keys()]).toEqual([...wrong.headers.keys()]);
  }
  await expect.poll(() => actionsOf(user.id)).toContain("password_failed");
});

test("a right password from an address that is not allowed is refused like a wrong password, and is in the activity log", async () => {
  const { user } = await signedIn(api);
  const fields = { ip_whitelist: ["203.0.113.0/24"], ip_whitelist_strict: true };
  await api.must("POST", `account/users/${user.username}`, fields);
  const page = browser();
  const right = await page.signIn(user.username, goodPassword);
  const wrong = await browser().signIn(user.username, other);
  expect([right.status, right.text, right.headers.get("set-cookie")]).toEqual([401, wrong.text, null]);
  expect([...right.headers.keys()]).toEqual([...wrong.headers.keys()]);
  await expect.poll(() => actionsOf(user.id)).toContain("sign_in_refused");
  const entry = (await entriesOf(user.id)).find(({ action }) => action === "sign_in_refused");
  expect(entry).toMatchObject({ user_name: user.username, resource_id: user.id });
  for (let tries = 0; tries < 3; tries++) await browser().signIn(user.username, goodPassword);
  expect((await browser().signIn(user.username, goodPassword)).status).toBe(429);
  expect((await browser("203.0.113.7").signIn((await signedIn(api)).user.username, goodPassword)).status).toBe(200);
});

test("a link from an address that is not allowed says so, works later, and is in the activity log", async () => {
  const user = await invited(api, { ip_whitelist: ["203.0.113.0/24"], ip_whitelist_strict: true });
  const body = { token: user.token, password: goodPassword };
  const refused = await browser().call("POST", "auth/invitation", body);
  expect([refused.status, refused.body["message"]]).toEqual([403, expect.stringContaining("are not allowed")]);
  await expect.poll(() => actionsOf(user.id)).toEqual(["sign_in_refused"]);
  await browser("203.0.113.8").must("POST", "auth/invitation", body);
});

test("the activity log shows each event without any secrets", async () => {
  const { user, page } = await signedIn(api);
  await page.must("POST", "auth/signout", {});
  await page.signIn(user.username, goodPassword);
  expect(await actionsOf(user.id)).toEqual(["sign_in", "sign_out", "password_set"]);
  const text = JSON.stringify(await entriesOf(user.id));
  for (const secret of [goodPassword, user.token, page.csrf, page.cookie!.split("=")[1]!, "argon2"]) {
    expect(text).not.toContain(secret);
  }
});

describe("a session", () => {
  test("has a new id at each sign-in, and never an id that the browser sent", async () => {
    const { user, page } = await signedIn(api);
    const first = page.cookie!;
    await page.signIn(user.username, goodPassword);
    expect(page.cookie).not.toBe(first);
    const stale = browser();
    stale.cookie = first;
    expect((await stale.call("GET", "zones")).status).toBe(401);
    const fixed = browser();
    fixed.cookie = "__Host-fairlead=of-the-attacker";
    await fixed.signIn(user.username, goodPassword);
    expect(fixed.cookie).not.toContain("of-the-attacker");
  });

  test("ends at once by signing out", async () => {
    const { page } = await signedIn(api);
    const copy = browser();
    copy.cookie = page.cookie;
    expect((await copy.call("GET", "zones")).status).toBe(200);
    await page.must("POST", "auth/signout", {});
    expect(page.cookie).toBeUndefined();
    expect((await copy.call("GET", "zones")).status).toBe(401);
  });

  test("ends when it is removed, and the other sessions stay", async () => {
    const { user, page } = await signedIn(api);
    const [second, third] = [browser(), browser()];
    await second.signIn(user.username, goodPassword);
    await third.signIn(user.username, goodPassword);
    const sessions = await page.must<(Fields & { id: string })[]>("GET", "auth/sessions");
    expect(sessions.map(({ current }) => current).toSorted()).toEqual([false, false, true]);
    expect(sessions.some(({ address }) => address === `192.0.2.${count}`)).toBe(true);
    expect(JSON.stringify(sessions)).not.toContain(third.cookie!.split("=")[1]);
    const ofThird = sessions.find(({ address }) => address === `192.0.2.${count}`)!;
    await page.must("DELETE", `auth/sessions/${ofThird.id}`);
    expect((await page.call("DELETE", `auth/sessions/${ofThird.id}`)).status).toBe(404);
    const statuses = async () =>
      Promise.all([page, second, third].map(async (one) => (await one.call("GET", "zones")).status));
    expect(await statuses()).toEqual([200, 200, 401]);
    await page.must("DELETE", "auth/sessions");
    expect(await statuses()).toEqual([200, 401, 401]);
  });

  test("of another user cannot be removed", async () => {
    const [one, two] = [await signedIn(api), await signedIn(api)];
    const [session] = await two.page.must<{ id: string }[]>("GET", "auth/sessions");
    expect((await one.page.call("DELETE", `auth/sessions/${session!.id}`)).status).toBe(404);
    expect((await two.page.call("GET", "zones")).status).toBe(200);
  });

  test("gets a new id when the password is changed; all other sessions end", async () => {
    const { user, page } = await signedIn(api);
    const second = browser();
    await second.signIn(user.username, goodPassword);
    const before = page.cookie!;
    const refused = await page.call("POST", "auth/password", { password: other, new_password: other });
    expect([refused.status, refused.body["message"]]).toEqual([401, "wrong password"]);
    await page.must("POST", "auth/password", { password: goodPassword, new_password: other });
    const copy = browser();
    copy.cookie = before;
    const statuses = [page, second, copy].map(async (one) => (await one.call("GET", "zones")).status);
    expect(await Promise.all(statuses)).toEqual([200, 401, 401]);
    expect((await browser().signIn(user.username, goodPassword)).status).toBe(401);
    expect((await browser().signIn(user.username, other)).status).toBe(200);
  });

  test("that begins while the password is being changed does not survive", async () => {
    for (let round = 0; round < 4; round++) {
      // four guesses each, which no limit delays
      const { user, page } = await signedIn(api);
      const pages = [browser(), browser(), browser()];
      const change = page.must("POST", "auth/password", { password: goodPassword, new_password: other });
      await Promise.all([change, ...pages.map((one) => one.signIn(user.username, goodPassword))]);
      for (const one of pages) expect((await one.call("GET", "zones")).status).toBe(401);
    }
  });

  test("can write only with its token, from our own pages", async () => {
    const { page } = await signedIn(api);
    const write = async (headers: Record<string, string>) =>
      (await page.call("POST", "account/settings", { company: `c${++count}` }, headers)).status;
    expect(await write({})).toBe(200);
    expect(await write({ "X-CSRF-Token": "" })).toBe(403);
    expect(await write({ "X-CSRF-Token": "0".repeat(64) })).toBe(403);
    expect(await write({ Origin: "https://evil.example.net" })).toBe(403);
    expect(await write({ Origin: "http://dns.example.net" })).toBe(403);
    expect(await write({ "Content-Type": "text/plain" })).toBe(415);
    const copy = new Browser(api.url);
    copy.cookie = page.cookie;
    expect((await copy.call("POST", "auth/signout", {})).status).toBe(403);
    expect((await copy.call("DELETE", "auth/sessions")).status).toBe(403);
    expect((await page.call("GET", "zones")).status).toBe(200);
  });

  test("cannot be created from a page of another site", async () => {
    const { user } = await signedIn(api);
    const body = { username: user.username, password: goodPassword };
    for (const headers of [{ Origin: "https://evil.example" }, { Origin: "null" }, { "Content-Type": "text/plain" }]) {
      const answer = await browser().call("POST", "auth/signin", body, headers);
      expect([403, 415]).toContain(answer.status);
      expect(answer.headers.get("set-cookie")).toBeNull();
    }
  });

  test("is ignored on a request with a key", async () => {
    const { page } = await signedIn(api, { permissions: { dns: { view_zones: false } } });
    expect((await page.call("GET", "zones")).status).toBe(403);
    expect((await page.call("GET", "zones", undefined, { "X-NSONE-Key": api.key })).status).toBe(200);
    expect((await page.call("GET", "networks", undefined, { "X-NSONE-Key": "wrong" })).status).toBe(401);
  });
});

describe("a forgotten password", () => {
  const forgot = (username: string, headers: Record<string, string> = {}) =>
    browser().call("POST", "auth/forgot", { username }, headers);
  /** The latest link. */
  const tokenAfter = async (email: string, ...before: readonly string[]): Promise<string> => {
    const tokens = async () =>
      (await mailsTo(api.directory, email))
        .map(({ text = "" }) => new RegExp(`${portal}/reset#([\\w-]{43})`).exec(text)![1]!)
        .filter((token) => !before.includes(token));
    await expect.poll(async () => (await tokens()).length).toBe(1);
    return (await tokens())[0]!;
  };

  test("can be reset by the e-mail address as well, for each user who has that address", async () => {
    const email = `${newId()}@Example.com`;
    const [one, two] = [await signedIn(api, { email }), await invited(api, { email, username: email })];
    const answers = [await forgot(email.toUpperCase()), await forgot(`${newId()}@example.com`)];
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [200, answers[1]!.text],
      [200, answers[1]!.text],
    ]);
    const links = async () =>
      (await mailsTo(api.directory, email.toLowerCase())).map(
        ({ text = "" }) => new RegExp(`${portal}/reset#([\\w-]{43})`).exec(text)![1]!,
      );
    await expect.poll(async () => (await links()).length).toBe(2);
    const users = await Promise.all(
      (await links()).map(async (token) => {
        const { user } = await browser().must<{ user: Fields }>("POST", "auth/reset", { token, password: other });
        return user["username"];
      }),
    );
    expect(users.toSorted()).toEqual([one.user.username, two.username].toSorted());
  });

  test("is not kept from a user by other accounts whose users have the same address", async () => {
    const email = `${newId()}@example.com`;
    const stranger = await api.stranger();
    for (let n = 0; n < 5; n++) await stranger.must("PUT", "account/users", { username: newId(), email });
    await api.store.db.updateTable("account_user").set({ created: 1 }).where("email", "=", email).execute();
    const username = newId();
    await api.must("PUT", "account/users", { username, email });
    await forgot(email);
    const users = async () =>
      (await mailsTo(api.directory, email))
        .filter(({ text = "" }) => text.includes(`${portal}/reset#`))
        .map(({ text = "" }) => /for the user\s+(\S+)\.\s/.exec(text)?.[1]);
    await expect.poll(async () => (await users()).length).toBe(5);
    expect(await users()).toContain(username);
  });

  test("is not kept from a user who has proved the address by five accounts whose users were given it", async () => {
    const email = `${newId()}@example.com`;
    const username = newId();
    await api.must("PUT", "account/users", { username, email });
    const linksOf = async (kind: "invitation" | "reset") =>
      (await mailsTo(api.directory, email)).flatMap(({ text = "" }) => {
        const token = new RegExp(`${portal}/${kind}#([\\w-]{43})`).exec(text)?.[1];
        return token === undefined ? [] : { token, username: /for the user\s+(\S+)\.\s/.exec(text)?.[1] };
      });
    await expect.poll(async () => (await linksOf("invitation")).length).toBe(1);
    const [{ token } = { token: "" }] = await linksOf("invitation");
    await browser().must("POST", "auth/invitation", { token, password: goodPassword });
    for (let n = 0; n < 5; n++) {
      await api.stranger();
      const eve = await invited(api, { account_id: await newestAccount(api.store), created: -1 });
      await browser().must("POST", "auth/invitation", { token: eve.token, password: goodPassword });
      await api.store.db.updateTable("account_user").set({ email }).where("id", "=", eve.id).execute();
    }
    await forgot(email);
    await expect.poll(async () => (await linksOf("reset")).length).toBe(5);
    expect((await linksOf("reset")).map((link) => link.username)).toContain(username);
  });

  test("can be set by the newest link whoever asked for it, and then the user can ask again at once", async () => {
    const { user } = await signedIn(api);
    for (let n = 0; n < 5; n++) await forgot(user.username);
    const tokens = async () =>
      (await mailsTo(api.directory, user.email)).flatMap(
        ({ text = "" }) => new RegExp(`${portal}/reset#([\\w-]{43})`).exec(text)?.[1] ?? [],
      );
    await expect.poll(async () => (await tokens()).length).toBe(3);
    // the others are refused, which leaves no trace
    await delay(1000);
    const statuses = [];
    for (const token of await tokens()) {
      statuses.push((await browser().call("POST", "auth/reset", { token, password: other })).status);
    }
    expect(statuses.toSorted()).toEqual([200, 400, 400]);
    await forgot(user.username);
    await expect.poll(async () => (await tokens()).length).toBe(4);
  });

  test("is replaced by a link that works once, and the user's sessions end", async () => {
    const { user, page } = await signedIn(api);
    const poisoned = { "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https" };
    const [known, unknown] = [await forgot(user.username, poisoned), await forgot("nobody at all")];
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text]);
    const first = await tokenAfter(user.email);
    await forgot(user.username);
    const second = await tokenAfter(user.email, first);
    const mails = await mailsTo(api.directory, user.email);
    expect(JSON.stringify(mails)).not.toContain("evil.example");
    const reset = (token: string) => browser().call("POST", "auth/reset", { token, password: other });
    expect((await reset(first)).status).toBe(400);
    const statuses = await Promise.all([reset(second), reset(second)]);
    expect(statuses.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect((await page.call("GET", "zones")).status).toBe(401);
    expect((await browser().signIn(user.username, goodPassword)).status).toBe(401);
    expect((await browser().signIn(user.username, other)).status).toBe(200);
  });
});
