/** Guessing passwords: the limits by user and by address, and that replies do not reveal which users exist. */
import argon2 from "@node-rs/argon2";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { fakeClock } from "../../../../test/machine/clock.ts";
import { startApi } from "../../../../test/service/api.ts";
import { Browser, goodPassword, invited, signedIn } from "../../../../test/service/browser.ts";
import { mailsTo } from "../../../../test/service/mails.ts";
import { trimAttempts } from "./attempt-store.ts";

const clock = fakeClock(Date.now());
const api = await startApi({ trustedProxies: ["127.0.0.1"], clock });
const wrong = "not the password";
let count = 0;
const somewhere = () => `2001:db8:${(++count).toString(16)}::1`;
const browser = (address = somewhere(), url = api.url) => new Browser(url, { "X-Forwarded-For": address });
const guess = async (username: string, password = wrong, page = browser()) => {
  const { status, headers, text } = await page.signIn(username, password);
  return { status, text, wait: headers.get("retry-after") };
};
const statusOf = async (...asked: Parameters<typeof guess>) => (await guess(...asked)).status;
beforeEach(() => clock.advance(2 * 3_600_000));

const minutes = (many: number) => clock.advance(many * 60_000);

// first, since links requested by other tests are counted up to two seconds later
test("an unknown name uses the same counters as a user's name when a link is requested", async () => {
  const { user } = await signedIn(api);
  const countersAfter = async (username: string) => {
    const taken = api.store.db.selectFrom("attempt").select("subject").where("full_at", ">", clock.now());
    const before = (await taken.execute()).length;
    await browser().must("POST", "auth/forgot", { username });
    await expect.poll(async () => (await taken.execute()).length - before).toBe(3);
  };
  await countersAfter(user.username);
  await countersAfter("nobody of that name");
});

describe("guesses at the password of one user:", () => {
  test("at most 20 guesses in an hour are checked, from any number of addresses", async () => {
    const { user } = await signedIn(api);
    let evaluated = 0;
    for (let minute = 0; minute < 60; minute++) {
      for (let tries = 0; tries < 3; tries++) if ((await statusOf(user.username)) === 401) evaluated++;
      minutes(1);
    }
    expect(evaluated).toBeGreaterThan(15);
    expect(evaluated).toBeLessThanOrEqual(20);
  });

  test("concurrent guesses are limited like successive ones", async () => {
    const { user } = await signedIn(api);
    const statuses = await Promise.all(Array.from({ length: 30 }, () => statusOf(user.username)));
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(25);
  });

  test("refusals contain the time to wait, also for an unknown user; the right password has to wait too", async () => {
    const { user } = await signedIn(api);
    const there = [];
    const nowhere = [];
    for (let tries = 0; tries < 7; tries++) {
      there.push(await guess(user.username));
      nowhere.push(await guess("nobody of this name"));
    }
    expect(there).toEqual(nowhere);
    expect(there[5]).toMatchObject({ status: 429, wait: "240" });
    expect(await statusOf(user.username.toUpperCase(), goodPassword)).toBe(429);
    minutes(4);
    expect(await statusOf(user.username, goodPassword)).toBe(200);
  });

  test("right passwords are not counted", async () => {
    const { user } = await signedIn(api);
    const page = browser();
    for (let times = 0; times < 25; times++) expect(await statusOf(user.username, goodPassword, page)).toBe(200);
  });

  test("a user locked out by other people's guesses gets in by a link", async () => {
    const { user } = await signedIn(api);
    for (let tries = 0; tries < 6; tries++) await guess(user.username);
    expect(await statusOf(user.username, goodPassword)).toBe(429);
    await browser().must("POST", "auth/forgot", { username: user.username });
    await expect.poll(async () => (await mailsTo(api.directory, user.email)).length).toBe(1);
    const [mail] = await mailsTo(api.directory, user.email);
    const token = /#([\w-]{43})/.exec(mail!.text ?? "")![1]!;
    const page = browser();
    await page.must("POST", "auth/reset", { token, password: "a new horse battery" });
    expect((await page.call("GET", "zones")).status).toBe(200);
    expect(await statusOf(user.username, "a new horse battery")).toBe(200);
  });

  test("a stolen session does not allow faster guesses", async () => {
    const { page } = await signedIn(api);
    const change = async () =>
      (await page.call("POST", "auth/password", { password: wrong, new_password: goodPassword })).status;
    for (let tries = 0; tries < 5; tries++) expect(await change()).toBe(401);
    expect(await change()).toBe(429);
  });

  test("the guesses of strangers do not delay the owner of a session", async () => {
    const { user, page } = await signedIn(api);
    for (let tries = 0; tries < 6; tries++) await guess(user.username);
    expect(await statusOf(user.username, goodPassword)).toBe(429);
    const network = browser();
    for (let tries = 0; tries < 21; tries++) await guess(`nobody ${++count}`, wrong, network);
    const body = { password: goodPassword, new_password: "another horse battery" };
    await page.must("POST", "auth/password", body);
    expect(await statusOf(user.username, "another horse battery")).toBe(429);
  });

  test("changes in a session are limited like the mails that report them, and do not delay links", async () => {
    const { user, page } = await signedIn(api);
    const change = () => page.call("POST", "auth/password", { password: goodPassword, new_password: goodPassword });
    expect((await change()).status).toBe(200);
    const news = api.store.db.updateTable("attempt").where("subject", "like", "news:%");
    await news.set(({ eb }) => ({ full_at: eb("full_at", "+", 9 * 20 * 60_000) })).execute();
    const refused = await change();
    expect([refused.status, refused.body["message"]]).toEqual([429, expect.stringContaining("10 mails")]);
    await browser().must("POST", "auth/forgot", { username: user.username });
    const reset = async () => (await mailsTo(api.directory, user.email)).find(({ text }) => text?.includes("/reset#"));
    await expect.poll(reset).toBeDefined();
    const token = /#([\w-]{43})/.exec((await reset())?.text ?? "")?.[1];
    await browser().must("POST", "auth/reset", { token, password: "another horse battery" });
    expect(await statusOf(user.username, "another horse battery")).toBe(200);
  });
});

describe("requests from one address:", () => {
  test("guesses at many users are limited like guesses at one user; an IPv6 network counts as one address", async () => {
    const users = await Promise.all(Array.from({ length: 5 }, () => invited(api)));
    const network = `2001:db8:ffff:${++count}`;
    const statuses = [];
    for (let tries = 0; tries < 25; tries++) {
      const username = tries < 5 ? users[tries]!.username : `nobody-${tries}`;
      statuses.push(await statusOf(username, wrong, browser(`${network}::${tries}`)));
    }
    expect(statuses).toEqual([...Array(20).fill(401), ...Array(5).fill(429)]);
    expect(await statusOf("another nobody")).toBe(401);
    minutes(1);
    expect(await statusOf("yet another", wrong, browser(`${network}::9`))).toBe(401);
  });

  test("an IPv6 /48 has ten times the tries of one address, whatever its number of /64s", async () => {
    let subnet = 0;
    const anywhere = () => browser(`2001:db8:eeee:${(++subnet).toString(16)}::1`);
    const statuses = [];
    for (let tries = 0; tries < 203; tries++) statuses.push(await statusOf(`nobody-${tries}`, wrong, anywhere()));
    expect(statuses).toEqual([...Array(200).fill(401), ...Array(3).fill(429)]);
    expect(await statusOf("another nobody")).toBe(401);
    clock.advance(6000);
    expect(await statusOf("yet another", wrong, anywhere())).toBe(401);
    const ask = async () => (await anywhere().call("POST", "auth/forgot", { username: `n${++count}` })).status;
    for (let tries = 0; tries < 100; tries++) expect(await ask()).toBe(200);
    expect(await ask()).toBe(429);
  });

  test("guesses at links have the same limit, and requests for mails a limit of their own", async () => {
    const page = browser();
    const open = async () =>
      (await page.call("POST", "auth/invitation", { token: "x", password: goodPassword })).status;
    for (let tries = 0; tries < 20; tries++) expect(await open()).toBe(400);
    expect(await open()).toBe(429);
    const ask = async () => (await page.call("POST", "auth/forgot", { username: `n${++count}` })).status;
    for (let tries = 0; tries < 10; tries++) expect(await ask()).toBe(200);
    expect(await ask()).toBe(429);
  });
});

test("a crowd of one account can sign in at once, and does not block another account", async () => {
  const { user } = await signedIn(api);
  const elsewhere = await signedIn(api, { account_id: await anotherAccount() });
  const page = browser();
  const crowd = Array.from({ length: 40 }, () => statusOf(user.username, goodPassword, page));
  const all = [...crowd, statusOf(elsewhere.user.username, goodPassword)];
  expect(await Promise.all(all)).toEqual(Array(41).fill(200));
});

async function anotherAccount(): Promise<string> {
  await api.stranger();
  const accounts = api.store.db.selectFrom("account").select("id").where("name", "=", "other");
  return (await accounts.executeTakeFirstOrThrow()).id;
}

test("a user gets at most three mails at once", async () => {
  const { user } = await signedIn(api);
  for (let tries = 0; tries < 6; tries++) await browser().must("POST", "auth/forgot", { username: user.username });
  await browser().must("POST", "auth/forgot", { username: (await signedIn(api)).user.username });
  await expect.poll(async () => (await mailsTo(api.directory, user.email)).length).toBe(3);
});

test("a second process has the same counters, also after the first has ended, and applies a sign-out in the first", async () => {
  const { storeUrl, directory } = api;
  const { url } = await startApi({ storeUrl, directory, trustedProxies: ["127.0.0.1"], clock });
  const { user, page } = await signedIn(api);
  for (let tries = 0; tries < 5; tries++) await guess(user.username);
  expect(await statusOf(user.username, goodPassword, browser(somewhere(), url))).toBe(429);
  const there = browser(somewhere(), url);
  there.cookie = page.cookie;
  expect((await there.call("GET", "zones")).status).toBe(200);
  const since = performance.now();
  await page.must("POST", "auth/signout", {});
  await expect.poll(async () => (await there.call("GET", "zones")).status).toBe(401);
  process.stdout.write(`another process applied the sign-out after ${Math.round(performance.now() - since)} ms\n`);
});

test("counters are few for any number of made-up names, and are deleted when they are full again", async () => {
  const rows = () => api.store.db.selectFrom("attempt").select("subject").execute();
  await Promise.all(Array.from({ length: 50 }, (_, i) => guess(`made up ${i}`)));
  expect(
    (await rows()).every(({ subject }) =>
      /^(login|address|code|proof|news|accountNews|asking|mail):[0-9a-f]{5}$/.test(subject),
    ),
  ).toBe(true);
  minutes(120);
  await trimAttempts(api.store.db, clock.now());
  expect(await rows()).toEqual([]);
});

test("a sign-in as an unknown user costs one password check, as expensive as that of a known user", async () => {
  const { user } = await signedIn(api);
  const verify = vi.spyOn(argon2, "verify");
  const costsOf = async (username: string) => {
    verify.mockClear();
    expect(await statusOf(username)).toBe(401);
    return verify.mock.calls.map(([hash]) => costOf(String(hash)));
  };
  // the first check creates the decoy hash
  await guess("nobody at all");
  const there = await costsOf(user.username);
  expect(there).toEqual([expect.stringMatching(/^argon2id .*m=/)]);
  expect(await costsOf("nobody again")).toEqual(there);
});

/** A hash contains its parameters: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */
const costOf = (hash: string) => hash.split("$").slice(1, 4).join(" ");
