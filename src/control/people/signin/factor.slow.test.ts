/** Second factors over HTTP: set up, required and disabled. */
import { generate } from "otplib";
import { beforeEach, describe, expect, test } from "vitest";
import { fakeClock } from "../../../../test/machine/clock.ts";
import { type Fields, startApi } from "../../../../test/service/api.ts";
import { Browser, goodPassword, type Invited, signedIn } from "../../../../test/service/browser.ts";
import { mailsTo } from "../../../../test/service/mails.ts";
import { revokeAll } from "../credentials/management.ts";
import { deleteUser } from "../members/user-store.ts";

const step = 30_000;
const clock = fakeClock(Math.floor(Date.now() / step) * step);
const api = await startApi({ trustedProxies: ["127.0.0.1"], clock });
let count = 0;
const browser = () => new Browser(api.url, { "X-Forwarded-For": `192.0.2.${++count}` });
beforeEach(() => clock.advance(10 * step));

/** The code of the current time step, or of a later one. */
const codeOf = (secret: string, later = 0) =>
  generate({ secret, epoch: Math.floor(clock.now() / 1000) + (later * step) / 1000 });
const actionsOf = async (id: string) =>
  (await api.must<Fields[]>("GET", `account/activity?user=${id}&limit=1000`)).map(({ action }) => action);

const subjectsTo = async (email: string) => (await mailsTo(api.directory, email)).map(({ subject }) => subject);

interface Factored {
  readonly user: Invited;
  readonly page: Browser;
  readonly secret: string;
  readonly codes: readonly string[];
}

/** A signed-in user with a second factor. */
async function factored(): Promise<Factored> {
  const { user, page } = await signedIn(api);
  const { secret } = await page.must("PUT", "auth/totp", { password: goodPassword });
  const code = await codeOf(String(secret));
  const { recovery_codes } = await page.must<{ recovery_codes: string[] }>("POST", "auth/totp", { code });
  clock.advance(2 * step);
  return { user, page, secret: String(secret), codes: recovery_codes };
}

/** A session for which only the password was given. */
async function half({ user }: Factored): Promise<Browser> {
  const page = browser();
  expect((await page.signIn(user.username, goodPassword)).body).toMatchObject({ stage: "second_factor" });
  return page;
}

const statusOf = async (page: Browser, body: Fields) => (await page.call("POST", "auth/secondfactor", body)).status;

test("a second factor is set up with the password, and becomes valid with its first code", async () => {
  const { user, page } = await signedIn(api);
  expect((await page.call("PUT", "auth/totp", { password: "not the password" })).status).toBe(401);
  const begun = await page.must("PUT", "auth/totp", { password: goodPassword });
  expect(String(begun["url"])).toMatch(
    new RegExp(`^otpauth://totp/Fairlead:${user.username}\\?secret=${begun["secret"]}`),
  );
  expect(begun["qr"]).toMatch(/^data:image\/png;base64,/);
  expect((await browser().signIn(user.username, goodPassword)).body["stage"]).toBe("full");
  expect((await page.call("POST", "auth/totp", { code: "000000" })).status).toBe(401);
  const second = browser();
  await second.signIn(user.username, goodPassword);
  const before = page.cookie;
  const code = await codeOf(String(begun["secret"]));
  const { recovery_codes } = await page.must<{ recovery_codes: string[] }>("POST", "auth/totp", { code });
  expect(new Set(recovery_codes).size).toBe(10);
  expect(recovery_codes[0]).toMatch(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/);
  expect(page.cookie).not.toBe(before);
  expect((await second.call("GET", "zones")).status).toBe(401);
  expect((await page.call("GET", "zones")).status).toBe(200);
  expect((await page.must<{ user: Fields }>("GET", "auth/session")).user["2fa_enabled"]).toBe(true);
  expect((await page.call("PUT", "auth/totp", { password: goodPassword })).status).toBe(400);
  expect(await actionsOf(user.id)).toContain("second_factor_enable");
  const rows = await api.store.db.selectFrom("user_credential").selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(String(begun["secret"]));
});

test("a session without its second step cannot do anything", async () => {
  const whole = await factored();
  const page = await half(whole);
  const asked = [
    ["GET", "zones"],
    ["GET", "networks"],
    ["PUT", "zones/x.example"],
    ["GET", "auth/sessions"],
    ["DELETE", "auth/sessions"],
    ["POST", "auth/password", { password: goodPassword, new_password: "quite another one" }],
    ["PUT", "auth/totp", { password: goodPassword }],
    ["POST", "auth/totp", { code: await codeOf(whole.secret) }],
    ["POST", "auth/totp/disable", { password: goodPassword }],
    ["POST", "auth/recoverycodes", { password: goodPassword }],
  ] as const;
  for (const [method, path, body] of asked) {
    expect([path, [401, 403].includes((await page.call(method, path, body)).status)]).toEqual([path, true]);
  }
  expect((await page.call("GET", "zones")).body).toMatchObject({
    message: expect.stringContaining("enter the code of your second factor"),
    details: { stage: "second_factor" },
  });
  const before = page.cookie;
  expect(await statusOf(page, { code: await codeOf(whole.secret) })).toBe(200);
  expect(page.cookie).not.toBe(before);
  expect((await page.call("GET", "zones")).status).toBe(200);
  const stale = browser();
  stale.cookie = before;
  expect((await stale.call("GET", "zones")).status).toBe(401);
});

test("a session without its second step ends after ten minutes", async () => {
  const whole = await factored();
  const page = await half(whole);
  clock.advance(600_000);
  await expect.poll(() => statusOf(page, { recovery_code: whole.codes[0] })).toBe(401);
});

describe("a code", () => {
  test("is accepted once, also when sent twice at the same time, and earlier codes are refused after it", async () => {
    const whole = await factored();
    const pages = await Promise.all([half(whole), half(whole), half(whole)]);
    const code = await codeOf(whole.secret);
    const statuses = await Promise.all(pages.map((page) => statusOf(page, { code })));
    expect(statuses.toSorted()).toEqual([200, 401, 401]);
    const page = await half(whole);
    for (const used of [code, await codeOf(whole.secret, -1)]) {
      const { status, body } = await page.call("POST", "auth/secondfactor", { code: used });
      expect([status, body["message"]]).toEqual([401, expect.stringContaining("was already used")]);
    }
    expect((await page.call("POST", "auth/secondfactor", { code: "000000" })).body["message"]).toBe("wrong code");
  });

  test("of the previous step is accepted once", async () => {
    const whole = await factored();
    const code = await codeOf(whole.secret, -1);
    expect(await statusOf(await half(whole), { code })).toBe(200);
    expect(await statusOf(await half(whole), { code })).toBe(401);
    expect(await statusOf(await half(whole), { code: await codeOf(whole.secret) })).toBe(200);
  });

  test("of another time, or in another form, is refused", async () => {
    const whole = await factored();
    const page = await half(whole);
    for (const code of [await codeOf(whole.secret, -3), await codeOf(whole.secret, 3), "", "12345"]) {
      expect(await statusOf(page, { code })).toBe(401);
    }
    expect(await statusOf(page, { code: ` ${await codeOf(whole.secret)}` })).toBe(401);
  });

  test("can be tried five times, then after a delay, which ends by itself", async () => {
    const whole = await factored();
    const page = await half(whole);
    for (let tries = 0; tries < 5; tries++) expect(await statusOf(page, { code: "000000" })).toBe(401);
    const answer = await page.call("POST", "auth/secondfactor", { code: await codeOf(whole.secret) });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "240"]);
    expect(await statusOf(page, { recovery_code: whole.codes[0] })).toBe(429);
    clock.advance(240_000);
    expect(await statusOf(page, { code: await codeOf(whole.secret) })).toBe(200);
    expect(await actionsOf(whole.user.id)).toContain("second_factor_failed");
  });
});

describe("a recovery code", () => {
  test("works once in any spelling, also when sent twice at the same time", async () => {
    const whole = await factored();
    const [first = "", second = ""] = whole.codes;
    const pages = await Promise.all([half(whole), half(whole)]);
    const typed = first.toLowerCase().replaceAll("-", " ");
    const statuses = await Promise.all(pages.map((page) => statusOf(page, { recovery_code: typed })));
    expect(statuses.toSorted()).toEqual([200, 401]);
    expect(await statusOf(await half(whole), { recovery_code: second })).toBe(200);
  });

  test("that is sent as a code is recognised, and not counted as a guess", async () => {
    const whole = await factored();
    const page = await half(whole);
    for (let tries = 0; tries < 6; tries++) {
      const { status, body } = await page.call("POST", "auth/secondfactor", { code: whole.codes[0] });
      expect([status, body["message"]]).toEqual([400, expect.stringContaining("send it as recovery_code")]);
    }
    expect(await statusOf(page, { recovery_code: whole.codes[0] })).toBe(200);
  });

  test("works for its own user only, and stops working when new codes are created", async () => {
    const [one, two] = [await factored(), await factored()];
    expect(await statusOf(await half(one), { recovery_code: two.codes[0] })).toBe(401);
    const renewed = await one.page.must<{ recovery_codes: string[] }>("POST", "auth/recoverycodes", {
      password: goodPassword,
      code: await codeOf(one.secret),
    });
    expect(await statusOf(await half(one), { recovery_code: one.codes[1] })).toBe(401);
    expect(await statusOf(await half(one), { recovery_code: renewed.recovery_codes[0] })).toBe(200);
  });
});

test("a second factor is also required after a password was set by a link", async () => {
  const whole = await factored();
  const { user } = whole;
  await browser().must("POST", "auth/forgot", { username: user.username });
  await expect.poll(() => subjectsTo(user.email)).toContain("Set a new password");
  const mail = (await mailsTo(api.directory, user.email)).find(({ subject }) => subject === "Set a new password");
  const token = /#([\w-]{43})/.exec(mail!.text ?? "")![1]!;
  const page = browser();
  const body = { token, password: "another horse battery" };
  expect((await page.call("POST", "auth/reset", body)).body["stage"]).toBe("second_factor");
  await expect.poll(() => subjectsTo(user.email)).toContain("Your password was changed");
  expect((await page.call("GET", "zones")).status).toBe(401);
  expect((await whole.page.call("GET", "zones")).status).toBe(401);
  expect(await statusOf(page, { code: await codeOf(whole.secret) })).toBe(200);
  expect((await page.call("GET", "zones")).status).toBe(200);
});

test("a second factor cannot be confirmed by a user who was deleted in the meantime", async () => {
  const { user, page } = await signedIn(api);
  const { secret } = await page.must("PUT", "auth/totp", { password: goodPassword });
  // like a change in another process, which this process notices a moment later
  const nothing = () => {};
  await api.store.transaction(async (db) => {
    await revokeAll({ db, afterCommit: nothing }, user);
    await deleteUser(db, user);
  });
  const { status, body } = await page.call("POST", "auth/totp", { code: await codeOf(String(secret)) });
  expect([status, body["message"]]).toEqual([401, "you are not signed in, or your session has ended"]);
});

describe("a second factor is disabled", () => {
  const disable = (page: Browser, body: Fields) => page.call("POST", "auth/totp/disable", body);

  test("with both the password and a code", async () => {
    const { user, page, secret, codes } = await factored();
    const code = await codeOf(secret);
    const statuses = [];
    for (const body of [
      { password: goodPassword },
      { password: goodPassword, code: "000000" },
      { password: goodPassword, recovery_code: "0000-0000-0000-0000" },
      { password: "not the password", code },
    ]) {
      statuses.push((await disable(page, body)).status);
      statuses.push((await page.call("POST", "auth/recoverycodes", body)).status);
    }
    expect(statuses).toEqual([400, 400, 401, 401, 401, 401, 401, 429]);
    expect((await browser().signIn(user.username, goodPassword)).body["stage"]).toBe("second_factor");
    clock.advance(240_000);
    const later = { password: goodPassword, code: await codeOf(secret) };
    expect((await disable(page, later)).status).toBe(200);
    expect((await browser().signIn(user.username, goodPassword)).body["stage"]).toBe("full");
    expect(codes).toHaveLength(10);
  });

  test("with a recovery code in place of a code; a wrong password does not use the code up", async () => {
    const { user, page, codes } = await factored();
    const [recovery_code] = codes;
    expect((await disable(page, { password: "not the password", recovery_code })).status).toBe(401);
    expect((await disable(page, { password: goodPassword, recovery_code })).status).toBe(200);
    expect((await browser().signIn(user.username, goodPassword)).body["stage"]).toBe("full");
  });

  test("not with a code that was already used", async () => {
    const whole = await factored();
    const code = await codeOf(whole.secret);
    const page = await half(whole);
    expect(await statusOf(page, { code })).toBe(200);
    const { status, body } = await disable(page, { password: goodPassword, code });
    expect([status, body["message"]]).toEqual([401, expect.stringContaining("was already used")]);
  });
});

test("setting up and disabling send a mail to the user, as do changes of passwords and addresses", async () => {
  const { user, page, secret } = await factored();
  await page.must("POST", "auth/totp/disable", { password: goodPassword, code: await codeOf(secret) });
  await page.must("POST", "auth/password", { password: goodPassword, new_password: "another horse battery" });
  const subjects = ["A second factor was set up", "Your second factor was turned off", "Your password was changed"];
  await expect.poll(() => subjectsTo(user.email)).toEqual(subjects);
  await api.must("POST", `account/users/${user.username}`, { email: `other-${user.email}` });
  subjects.push("Your e-mail address was changed");
  await expect.poll(() => subjectsTo(user.email)).toEqual(subjects);
  expect(await subjectsTo(`other-${user.email}`)).toEqual([]);
});

test("a user without an address can set up a second factor, without a mail", async () => {
  const { user, page } = await signedIn(api, { email: "" });
  const { secret } = await page.must("PUT", "auth/totp", { password: goodPassword });
  await page.must("POST", "auth/totp", { code: await codeOf(String(secret)) });
  expect(await actionsOf(user.id)).toContain("second_factor_enable");
  expect(await api.store.db.selectFrom("mail").selectAll().where("recipient", "=", "").execute()).toEqual([]);
});

describe("an account that requires a second factor", () => {
  test("lets users without a second factor do nothing except set one up, even if they are signed in", async () => {
    const { user, page } = await signedIn(api);
    expect((await page.call("GET", "zones")).status).toBe(200);
    await api.must("POST", "account/twofactor", { required: true });
    try {
      expect((await page.call("GET", "zones")).status).toBe(401);
      const later = browser();
      expect((await later.signIn(user.username, goodPassword)).body["stage"]).toBe("enrolment");
      expect((await later.call("GET", "zones")).body).toMatchObject({
        message: expect.stringContaining("set one up first"),
        details: { stage: "enrolment" },
      });
      for (const [method, path] of [
        ["GET", "zones"],
        ["GET", "auth/sessions"],
        ["POST", "auth/totp/disable"],
      ] as const) {
        const body = method === "GET" ? undefined : { password: goodPassword };
        expect([401, 403]).toContain((await later.call(method, path, body)).status);
      }
      const { secret } = await later.must("PUT", "auth/totp", { password: goodPassword });
      await later.must("POST", "auth/totp", { code: await codeOf(String(secret)) });
      expect((await later.call("GET", "zones")).status).toBe(200);
      expect((await later.call("POST", "auth/totp/disable", { password: goodPassword })).status).toBe(403);
      expect((await api.call("GET", "zones")).status).toBe(200);
      expect((await api.call("DELETE", `account/2factor/reset/${user.username}`)).status).toBe(200);
      expect((await later.call("GET", "zones")).status).toBe(401);
      expect((await browser().signIn(user.username, goodPassword)).body["stage"]).toBe("enrolment");
    } finally {
      await api.must("POST", "account/twofactor", { required: false });
    }
  });

  test("is configured by callers with the right", async () => {
    const { page } = await signedIn(api, { permissions: { security: { manage_global_2fa: false } } });
    expect((await page.call("POST", "account/twofactor", { required: true })).status).toBe(403);
  });
});
