/** Users over HTTP: replies, mails, refusals, and that no request yields a right that the caller lacks. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Client, type Fields, startApi } from "../../../../test/service/api.ts";
import { Browser, goodPassword, signedIn } from "../../../../test/service/browser.ts";
import { mailsTo } from "../../../../test/service/mails.ts";
import { newId } from "../../../lib/ids.ts";
import { masterKeys, secretsFrom } from "../../../lib/secrets.ts";
import { resetFactorOf } from "../operator/user-factor.ts";

const api = await startApi();
const ddi = await startApi({ edition: "ddi" });
const path = "account/users";
const patience = { timeout: 10_000 };

const wish = (fields: Fields = {}) => {
  const username = `u-${newId()}`;
  return { username, email: `${username}@example.com`, ...fields };
};
const create = (fields: Fields = {}, by: Client = api) => by.call<Fields & { id: string }>("PUT", path, wish(fields));

async function made(fields: Fields = {}, by: Client = api) {
  const answer = await create(fields, by);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body as Fields & { id: string; username: string; email: string };
}

const entries = (id: string) => api.must<Fields[]>("GET", `account/activity?resource_id=${id}`);
const actions = async (id: string) => (await entries(id)).map(({ action }) => action);

const invitations = async (email: string, { directory } = api) =>
  (await mailsTo(directory, email)).map(({ text }) => /#([\w-]+)/.exec(text ?? "")?.[1] ?? "");

/** The state of a user who has set a password. */
async function withPassword(user: { id: string }, fields: { totp_since?: number } = {}) {
  const { account_id } = await api.store.db
    .selectFrom("account_user")
    .select("account_id")
    .where("id", "=", user.id)
    .executeTakeFirstOrThrow();
  const credential = {
    account_id,
    user_id: user.id,
    password: "a hash",
    totp: "sealed",
    totp_step: 0,
    totp_since: null,
  };
  await api.store.db
    .insertInto("user_credential")
    .values({ ...credential, ...fields })
    .execute();
}

describe("a user", () => {
  test("is shown with every field, and all permissions that were not denied", async () => {
    const body = wish({ name: "Ann Ö.", permissions: { dns: { manage_zones: false } }, notify: { billing: true } });
    const user = (await api.call<Fields>("PUT", path, body)).body;
    expect(user).toMatchObject({
      ...{ id: expect.stringMatching(/^[0-9a-f]{24}$/), username: body.username, email: body.email, name: "Ann Ö." },
      ...{ teams: [], ip_whitelist: [], ip_whitelist_strict: false, notify: { billing: true }, "2fa_enabled": false },
      ...{ last_access: null, created: expect.any(Number) },
      permissions: { dns: { manage_zones: false, view_zones: true }, account: { manage_auth_keys: false } },
    });
    expect(user).not.toHaveProperty("invite_token");
    expect(await api.must<Fields[]>("GET", path)).toContainEqual(user);
    expect(await api.must("GET", `${path}/${body.username}`)).toEqual(user);
    expect(await api.must("GET", `${path}/${body.username.toUpperCase()}`)).toEqual(user);
  });

  test("that is sent back as it was read changes nothing", async () => {
    const shared_auth = { saml: { sso: false, idp: { provider: "x", metadata_url: "https://idp.example" } } };
    for (const user of [
      await made({ shared_auth, notify: { billing: true } }),
      await api.must<Fields>("GET", `${path}/admin`),
    ]) {
      const before = await actions(String(user["id"]));
      expect(await api.must("POST", `${path}/${user["username"]}`, user)).toEqual(user);
      expect(await actions(String(user["id"]))).toEqual(before);
    }
  });

  test("read-only fields are ignored in bodies", async () => {
    const forged = { id: newId(), account_id: newId(), created: 1, last_access: 1, "2fa_enabled": true };
    const user = await made(forged);
    expect(user).toMatchObject({ "2fa_enabled": false, last_access: null });
    expect([user.id, user["created"]]).not.toContain(forged.id);
    expect(user["created"]).not.toBe(1);
    expect(await api.must("POST", `${path}/${user.username}`, forged)).toEqual(user);
  });

  test("can be created by the older path too, if the body does not name another user", async () => {
    const { username, email } = wish();
    expect((await api.call("PUT", `${path}/${username}`, { email })).body["username"]).toBe(username);
    expect((await api.call("PUT", `${path}/${newId()}`, { username: newId(), email })).status).toBe(400);
  });

  test("can be changed in parts, and the activity log shows it without secrets", async () => {
    const user = await made({ notify: { billing: true } });
    const changed = { ...user, name: "B", permissions: expect.anything() };
    expect(await api.must("POST", `${path}/${user.username}`, { name: "B" })).toEqual(changed);
    const after = await api.must<Fields>("POST", `${path}/${user.username}`, { notify: null, name: null });
    expect(after).toMatchObject({ notify: { billing: false }, name: "" });
    const username = `v-${newId()}`;
    await api.must("POST", `${path}/${user.username}`, { username });
    expect((await api.call("GET", `${path}/${user.username}`)).status).toBe(404);
    expect((await api.call("DELETE", `${path}/${username}`)).text).toBe("{}\n");
    expect(await actions(user.id)).toEqual(["delete", "update", "update", "update", "create"]);
    // the earlier name is free again
    await made({ username: user.username });
  });
});

describe("an invitation", () => {
  test("is mailed with a link to the public address, independent of the request's host", async () => {
    const body = wish();
    const answer = await api.call("PUT", path, body, { "X-Forwarded-Host": "evil.example", Host: "evil.example" });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    await expect.poll(() => invitations(body.email), patience).toHaveLength(1);
    const [mail] = await mailsTo(api.directory, body.email);
    expect(mail?.text).toMatch(/https:\/\/dns\.example\.net\/invitation#[\w-]{40,}\n/);
    expect(mail?.text).toContain(body.username);
    expect(`${mail?.text}${mail?.html}`).not.toContain("evil.example");
    const [token = "none"] = await invitations(body.email);
    expect(JSON.stringify(await entries(String(answer.body["id"])))).not.toContain(token);
  });

  test("is a token in the reply of edition ddi, once, and nowhere afterwards", async () => {
    const headers = { "Idempotency-Key": newId() };
    const body = wish();
    const first = await ddi.call<Fields & { id: string }>("PUT", path, body, headers);
    const token = String(first.body["invite_token"]);
    expect(token).toMatch(/^[\w-]{40,}$/);
    expect((await ddi.call("PUT", path, body, headers)).body).toEqual(first.body);
    expect(await ddi.must("GET", `${path}/${body.username}`)).not.toHaveProperty("invite_token");
    const log = await ddi.call("GET", `account/activity?resource_id=${first.body.id}`);
    const kept = await ddi.store.db.selectFrom("idempotency").select("body").execute();
    expect(log.text).toContain("invite_token");
    expect(log.text + JSON.stringify(kept)).not.toContain(token);
    expect(await mailsTo(ddi.directory, body.email)).toEqual([]);
  });

  test("can be repeated with another link, and for another address and name if these are sent", async () => {
    const user = await made();
    await expect.poll(() => invitations(user.email), patience).toHaveLength(1);
    const next = wish();
    const answer = await api.call("POST", `account/reinvite/${user.username}`, { ...next, name: "C" });
    expect([answer.status, answer.text]).toEqual([200, "{}\n"]);
    await expect.poll(() => invitations(next.email), patience).toHaveLength(1);
    expect((await invitations(next.email))[0]).not.toBe((await invitations(user.email))[0]);
    expect(await api.must("GET", `${path}/${next.username}`)).toMatchObject({ ...next, name: "C", id: user.id });
    expect(await actions(user.id)).toEqual(["reinvite", "create"]);
    const tokens = await api.store.db.selectFrom("user_token").selectAll().where("user_id", "=", user.id).execute();
    expect(tokens).toHaveLength(1);
    // without a body
    await api.must("POST", `account/reinvite/${next.username}`);
    await expect.poll(() => invitations(next.email), patience).toHaveLength(2);
  });

  test("that is repeated changes no other fields of the user", async () => {
    const user = await made();
    const before = await api.must("GET", `${path}/${user.username}`);
    const more = {
      teams: 5,
      permissions: { dns: { view_zones: false } },
      notify: { billing: true },
      ip_whitelist: [7],
    };
    await api.must("POST", `account/reinvite/${user.username}`, { ...more, ip_whitelist_strict: true });
    expect(await api.must("GET", `${path}/${user.username}`)).toEqual(before);
  });

  test("is limited in number per account and day; beyond the limit no user is created", async () => {
    await made();
    const guesses = api.store.db.updateTable("attempt").where("subject", "like", "invitation:%");
    const shift = (by: number) => guesses.set(({ eb }) => ({ full_at: eb("full_at", "+", by) })).execute();
    await shift(999 * 60_000);
    try {
      const body = wish();
      const answer = await api.call("PUT", path, body);
      expect([answer.status, answer.body["message"]]).toEqual([429, expect.stringContaining("1000 mails")]);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      expect((await api.call("GET", `${path}/${body.username}`)).status).toBe(404);
    } finally {
      await shift(-999 * 60_000);
    }
  });

  test("shares its limit with address changes of users who can sign in; each user's changes are limited as well", async () => {
    const user = await made();
    await withPassword(user);
    const move = (email: string) => api.call("POST", `${path}/${user.username}`, { email });
    const guesses = api.store.db.updateTable("attempt").where("subject", "like", "invitation:%");
    const shift = (by: number) => guesses.set(({ eb }) => ({ full_at: eb("full_at", "+", by) })).execute();
    await shift(999 * 60_000);
    try {
      expect((await move("stranger@example.com")).body["message"]).toContain("1000 mails");
    } finally {
      await shift(-999 * 60_000);
    }
    for (let n = 0; n < 10; n++) expect((await move(`stranger${n}@example.com`)).status).toBe(200);
    const answer = await move("one-more@example.com");
    expect([answer.status, answer.body["message"]]).toEqual([429, expect.stringContaining("10 times")]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await api.must("GET", `${path}/${user.username}`)).toMatchObject({ email: "stranger9@example.com" });
  });

  test("cannot be repeated once the user has signed in, nor for a user without an address", async () => {
    const user = await made();
    await withPassword(user);
    const answer = await api.call("POST", `account/reinvite/${user.username}`);
    expect([answer.status, answer.body["message"]]).toEqual([400, expect.stringContaining("forgot password")]);
    expect((await api.call("POST", "account/reinvite/admin")).body["details"]).toEqual({ field: "email" });
  });

  test("stops working with a new address and with the deletion of its user", async () => {
    const tokens = ({ id }: { id: string }) =>
      api.store.db.selectFrom("user_token").selectAll().where("user_id", "=", id).execute();
    const user = await made();
    expect(await tokens(user)).toHaveLength(1);
    await api.must("POST", `${path}/${user.username}`, { email: `other-${user.email}` });
    expect(await tokens(user)).toEqual([]);
    const other = await made();
    await api.must("DELETE", `${path}/${other.username}`);
    expect(await tokens(other)).toEqual([]);
  });
});

describe("a second factor", () => {
  test("is shown, and reset with a mail to its user", async () => {
    const user = await made();
    await withPassword(user, { totp_since: 1 });
    const shown = await api.must<Fields>("GET", `${path}/${user.username}`);
    expect(shown["2fa_enabled"]).toBe(true);
    const answer = await api.call("DELETE", `account/2factor/reset/${user.username}`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(answer.text).toBe("Two-factor authentication is disabled for the user.\n");
    expect((await api.must<Fields>("GET", `${path}/${user.username}`))["2fa_enabled"]).toBe(false);
    await expect
      .poll(async () => (await mailsTo(api.directory, user.email)).map(({ subject }) => subject), patience)
      .toContain("Your second factor was reset");
    expect(await actions(user.id)).toEqual(["reset_2fa", "create"]);
    // without a second factor: the same reply, and no change
    expect((await api.call("DELETE", `account/2factor/reset/${user.username}`)).text).toBe(answer.text);
    expect(await actions(user.id)).toEqual(["reset_2fa", "create"]);
  });
});

test("a lost second factor can be reset on the host as well", async () => {
  const user = await made();
  await withPassword(user, { totp_since: 1 });
  const secrets = secretsFrom(masterKeys(join(api.directory, "master.key")));
  const reset = (username: string) =>
    api.store.transaction((tx) => resetFactorOf(tx, username, { secrets, now: Math.floor(Date.now() / 1000) }));
  expect(await reset(user.username.toUpperCase())).toMatchObject({ row: { id: user.id }, had: true });
  expect((await api.must<Fields>("GET", `${path}/${user.username}`))["2fa_enabled"]).toBe(false);
  const entry = { action: "reset_2fa", user_type: "system", user_name: "fairlead user reset-2fa" };
  expect(await reset(user.username)).toMatchObject({ had: false });
  expect(await entries(user.id)).toMatchObject([entry, { action: "create" }]);
  // the service queues a mail itself, and sends the waiting one at once
  await made();
  await expect
    .poll(async () => (await mailsTo(api.directory, user.email)).map(({ subject }) => subject), patience)
    .toContain("Your second factor was reset");
  await expect(reset("nobody")).rejects.toThrow('there is no user "nobody"');
});

describe("a user who is signed in", () => {
  test("cannot delete or lock out themselves, nor reset their own second factor", async () => {
    const { user, page } = await signedIn(api);
    for (const [method, to, body, message] of [
      ["DELETE", `${path}/${user.username}`, undefined, "you cannot delete your own user; ask another administrator"],
      [
        "DELETE",
        `account/2factor/reset/${user.username}`,
        undefined,
        "you cannot reset your own second factor; ask another administrator",
      ],
      ["POST", `${path}/${user.username}`, { ip_whitelist: ["192.0.2.1"], ip_whitelist_strict: true }, /127\.0\.0\.1/],
    ] as const) {
      const answer = await page.call(method, to, body);
      expect([answer.status, answer.body["message"]]).toEqual([400, expect.stringMatching(message)]);
    }
    expect(await page.must("POST", `${path}/${user.username}`, { name: "Me" })).toMatchObject({ name: "Me" });
    const [entry] = await entries(user.id);
    expect(entry).toMatchObject({ user_type: "user", user_id: user.id, user_name: user.username, action: "update" });
  });

  test("gains no right, neither through their own user nor through a user that they create", async () => {
    const permissions = { dns: { manage_zones: false } };
    const { user, page } = await signedIn(api, { permissions });
    const more = { permissions: { dns: { manage_zones: true } } };
    expect((await page.call("POST", `${path}/${user.username}`, more)).status).toBe(403);
    expect((await page.call("PUT", path, wish())).status).toBe(403);
    const own = wish({ permissions });
    await page.must("PUT", path, own);
    await expect.poll(() => invitations(own.email), patience).toHaveLength(1);
    const other = new Browser(api.url);
    const [token] = await invitations(own.email);
    await other.must("POST", "auth/invitation", { token, password: goodPassword });
    expect((await other.call("POST", `${path}/${user.username}`, more)).status).toBe(403);
    expect((await other.call("PUT", "zones/made.example", {})).status).toBe(403);
  });

  test("is signed out once deleted or changed, from the next request", async () => {
    const { user, page } = await signedIn(api);
    await page.must("GET", "zones");
    await api.must("POST", `${path}/${user.username}`, { permissions: { dns: { view_zones: false } } });
    expect((await page.call("GET", "zones")).status).toBe(403);
    await api.must("DELETE", `${path}/${user.username}`);
    expect((await page.call("GET", "account/users")).status).toBe(401);
  });

  test("cannot be invited again, and the used invitation lets no one in", async () => {
    const { user } = await signedIn(api);
    const again = await api.call("POST", `account/reinvite/${user.username}`);
    expect([again.status, again.body["message"]]).toEqual([400, expect.stringContaining("forgot password")]);
    const other = new Browser(api.url);
    const refused = await other.call("POST", "auth/invitation", { token: user.token, password: goodPassword });
    expect(refused.status).not.toBe(200);
  });
});

describe("requests with mistakes are refused with their message:", () => {
  const nobody = `nobody-${newId()}`;
  const cases: [method: string, to: string, body: unknown, status: number, message: string | RegExp][] = [
    ["GET", `${path}/${nobody}`, undefined, 404, "user not found"],
    ["POST", `${path}/${nobody}`, {}, 404, "Unknown user"],
    ["DELETE", `${path}/${nobody}`, undefined, 404, "Unknown user"],
    ["POST", `account/reinvite/${nobody}`, {}, 404, "Unknown user"],
    ["DELETE", `account/2factor/reset/${nobody}`, undefined, 404, "Unknown user"],
    ["PUT", path, {}, 400, /"username"|"email"/],
    ["PUT", path, wish({ username: "ab" }), 400, /3 to 64/],
    ["PUT", path, wish({ username: "a".repeat(65) }), 400, /3 to 64/],
    ["PUT", path, wish({ username: "a b c" }), 400, /username/],
    ["PUT", path, wish({ username: "аdmin" }), 400, /username/],
    ["PUT", path, wish({ username: "a\r\nb: c" }), 400, /username/],
    ["PUT", path, wish({ email: "" }), 400, /email/],
    ["PUT", path, wish({ email: "a@b.example\r\nBcc: c@d.example" }), 400, /email/],
    ["PUT", path, wish({ email: "a@b.example, c@d.example" }), 400, /email/],
    ["PUT", path, wish({ name: "a\r\nBcc: c@d.example" }), 400, /name/],
    ["PUT", path, wish({ name: "x".repeat(256) }), 400, /name/],
    ["PUT", path, wish({ ip_whitelist: ["010.0.0.1"] }), 400, /ip_whitelist/],
    ["PUT", path, wish({ teams: [newId()] }), 400, /team/],
    [
      "PUT",
      `${path}?strict=true`,
      wish({ permissions: { dns: { manage_zone: true } } }),
      400,
      /dns.manage_zone: is not/,
    ],
    ["PUT", path, wish({ shared_auth: { saml: { sso: true } } }), 400, /SAML is not available/],
    ["PUT", path, wish({ username: "admin" }), 400, "request failed:Login Name is already in use."],
    ["PUT", path, wish({ username: "Admin" }), 400, "request failed:Login Name is already in use."],
  ];
  for (const [method, to, body, status, message] of cases) {
    test(`${method} ${to.replace(nobody, "nobody")} ${JSON.stringify(body ?? {}).slice(0, 60)}`, async () => {
      const answer = await api.call(method, to, body);
      expect(answer.body["message"]).toMatch(message);
      expect(answer.status).toBe(status);
    });
  }
});

test("a login name is unique over all accounts, also when two requests use it at the same time, and when it changes", async () => {
  const stranger = await api.stranger();
  const { username, email } = wish();
  const answers = await Promise.all([api, stranger, api].map((by) => by.call("PUT", path, { username, email })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
  const other = await made();
  const taken = "request failed:Login Name is already in use.";
  expect((await api.call("POST", `${path}/${other.username}`, { username })).body["message"]).toBe(taken);
  expect((await api.call("POST", `account/reinvite/${other.username}`, { username })).body["message"]).toBe(taken);
  expect(await api.must("GET", `${path}/${other.username}`)).toEqual(other);
});

test("null is the same as an omitted field", async () => {
  const nothing = { name: null, teams: null, ip_whitelist: null, ip_whitelist_strict: null, permissions: null };
  const user = await made({ ...nothing, notify: null, shared_auth: null });
  expect(user).toMatchObject({ name: "", teams: [], ip_whitelist: [], notify: { billing: false } });
  expect(user).not.toHaveProperty("shared_auth");
});

test("another account's users are not found", async () => {
  const stranger = await api.stranger();
  const user = await made();
  expect(await stranger.must("GET", path)).toMatchObject([{ name: "Administrator" }]);
  for (const [method, to] of [
    ["GET", `${path}/${user.username}`],
    ["POST", `${path}/${user.username}`],
    ["DELETE", `${path}/${user.username}`],
    ["POST", `account/reinvite/${user.username}`],
    ["DELETE", `account/2factor/reset/${user.username}`],
  ] as const) {
    const body = method === "POST" ? {} : undefined;
    const there = await stranger.call(method, to, body);
    const nowhere = await stranger.call(method, to.replace(user.username, "u-nobody"), body);
    expect([there.status, there.text.replaceAll(user.username, "u-nobody")]).toEqual([404, nowhere.text]);
  }
  expect(await api.must("GET", `${path}/${user.username}`)).toEqual(user);
});

describe("a caller with fewer rights", async () => {
  const permissions = {
    ipam: { manage_ipam: false },
    dns: { zones_allow_by_default: false, zones_allow: ["a.example"] },
  };
  const restricted = await api.limited(permissions);

  test("without manage_users, can neither read nor change users", async () => {
    const without = await api.limited({ account: { manage_users: false } });
    const user = await made();
    for (const [method, to, body] of [
      ["GET", path, undefined],
      ["GET", `${path}/${user.username}`, undefined],
      ["PUT", path, wish()],
      ["POST", `${path}/${user.username}`, {}],
      ["DELETE", `${path}/${user.username}`, undefined],
      ["POST", `account/reinvite/${user.username}`, {}],
      ["DELETE", `account/2factor/reset/${user.username}`, undefined],
    ] as const) {
      expect((await without.call(method, to, body)).status, `${method} ${to}`).toBe(403);
    }
  });

  test("grants no right that it lacks", async () => {
    const all = await create({}, restricted);
    expect([all.status, all.body["message"]]).toEqual([
      403,
      "You are not allowed to modify the following permissions: manage_ipam, zones_allow_by_default",
    ]);
    const user = await made({ permissions }, restricted);
    for (const [wanted, names] of [
      [{ ipam: { manage_ipam: true } }, "manage_ipam"],
      [{ dns: { zones_allow: ["a.example", "b.example"] } }, "zones_allow"],
      [{ account: { manage_auth_keys: true } }, "manage_auth_keys"],
    ] as const) {
      const answer = await restricted.call("POST", `${path}/${user.username}`, { permissions: wanted });
      expect(answer.body["message"]).toBe(`You are not allowed to modify the following permissions: ${names}`);
    }
  });

  test("cannot change the address of a user with more rights, nor invite, reset or delete the user", async () => {
    const user = await made();
    await withPassword(user, { totp_since: 1 });
    const invited = await made();
    for (const [method, to, body] of [
      ["POST", `${path}/${user.username}`, { email: "evil@example.com" }],
      ["POST", `${path}/${user.username}`, { permissions }],
      ["POST", `account/reinvite/${invited.username}`, { email: "evil@example.com" }],
      ["POST", `account/reinvite/${invited.username}`, undefined],
      ["DELETE", `account/2factor/reset/${user.username}`, undefined],
      ["DELETE", `${path}/${user.username}`, undefined],
    ] as const) {
      expect((await restricted.call(method, to, body)).status, `${method} ${to}`).toBe(403);
    }
    expect((await api.must<Fields>("GET", `${path}/${user.username}`))["2fa_enabled"]).toBe(true);
    expect(await mailsTo(api.directory, "evil@example.com")).toEqual([]);
  });

  test("that is restricted to addresses cannot delete or redirect unrestricted users", async () => {
    const held = await api.limited({}, { ip_whitelist: ["127.0.0.0/8"], ip_whitelist_strict: true });
    const { username } = await made();
    const bounds = { ip_whitelist: ["127.0.0.1"], ip_whitelist_strict: true };
    const calls: [string, unknown?][] = [["DELETE"], ["POST", { email: "other@example.com", ...bounds }]];
    for (const [method, body] of calls) {
      const { status, text } = await held.call(method, `${path}/${username}`, body);
      expect([status, text]).toEqual([403, expect.stringContaining("your own allow list restricts you")]);
    }
    expect((await held.call("POST", `${path}/${username}`, bounds)).status).toBe(200);
  });

  test("that is restricted to addresses cannot admit other addresses", async () => {
    const held = await api.limited({}, { ip_whitelist: ["127.0.0.0/8"], ip_whitelist_strict: true });
    expect((await create({}, held)).status).toBe(403);
    const user = await made({ ip_whitelist: ["127.0.0.1"], ip_whitelist_strict: true }, held);
    expect((await held.call("POST", `${path}/${user.username}`, { ip_whitelist_strict: false })).status).toBe(403);
    const free = await made();
    expect((await held.call("POST", `account/reinvite/${free.username}`)).status).toBe(403);
  });
});

test("a user's effective rights are shown like those of keys", async () => {
  const user = await made({ permissions: { dns: { manage_zones: false } } });
  const query = "zone=example.com";
  const shown = await api.must<{ calls: Fields[] }>("GET", `${path}/${user.username}/effective?${query}`);
  expect(shown.calls.map(({ call, allowed }) => [call, allowed])).toEqual([
    ["read", true],
    ["write", false],
    ["settings", false],
  ]);
  expect((await api.call("GET", `${path}/u-nobody/effective`)).body["message"]).toBe("user not found");
});

describe("a user in teams", async () => {
  const team = (permissions: Fields) =>
    api.must<{ id: string }>("PUT", "account/teams", { name: newId(), permissions });
  const reading = await team({ dns: { manage_zones: false }, account: { manage_users: false } });

  test("has the teams' permissions instead of their own, and keeps these permissions when leaving", async () => {
    const user = await made({ teams: [reading.id], permissions: { dns: { view_zones: false } } });
    const inTeam = { dns: { manage_zones: false, view_zones: true } };
    expect(user).toMatchObject({ teams: [reading.id], permissions: inTeam });
    const left = await api.must<Fields>("POST", `${path}/${user.username}`, { teams: [] });
    expect(left).toMatchObject({ teams: [], permissions: inTeam });
  });

  test("keeps the rights of a deleted team", async () => {
    const doomed = await team({ dns: { manage_zones: false } });
    const user = await made({ teams: [doomed.id] });
    await api.must("DELETE", `account/teams/${doomed.id}`);
    const after = await api.must("GET", `${path}/${user.username}`);
    expect(after).toMatchObject({ teams: [], permissions: { dns: { manage_zones: false, view_zones: true } } });
  });

  test("joins no team that grants more than the caller's rights; a member of such a team cannot be changed by that caller", async () => {
    const wide = await team({});
    const restricted = await api.limited({ dns: { manage_zones: false } });
    const own = await made({ permissions: { dns: { manage_zones: false } } }, restricted);
    expect((await restricted.call("POST", `${path}/${own.username}`, { teams: [wide.id] })).status).toBe(403);
    const inWide = await made({ teams: [wide.id] });
    expect((await restricted.call("POST", `${path}/${inWide.username}`, { email: "x@example.com" })).status).toBe(403);
    expect((await restricted.call("POST", `${path}/${inWide.username}`, { teams: [reading.id] })).status).toBe(403);
    const foreign = await (await api.stranger()).must<{ id: string }>("PUT", "account/teams", { name: "foreign" });
    expect((await api.call("POST", `${path}/${own.username}`, { teams: [foreign.id] })).status).toBe(400);
  });
});

const alone = await startApi();

test("the last administrator's rights cannot be removed through a team", async () => {
  const { must, call } = alone;
  const { id } = await must<{ id: string }>("PUT", "account/teams", { name: "administrators" });
  await must("POST", `${path}/admin`, { teams: [id] });
  const denied = await call("POST", `account/teams/${id}`, { permissions: { account: { manage_users: false } } });
  expect([denied.status, denied.body["message"]]).toEqual([400, expect.stringContaining("last user")]);
  await must("DELETE", `account/teams/${id}`);
  expect(await must("GET", `${path}/admin`)).toMatchObject({ permissions: { account: { manage_users: true } } });
});

test("the last user who manages users and keys stays", async () => {
  const { must, call } = alone;
  const denied = { permissions: { account: { manage_users: false } } };
  const shut = { ip_whitelist: [], ip_whitelist_strict: true };
  await must("PUT", path, wish(denied));
  for (const [method, body] of [
    ["POST", denied],
    ["POST", { permissions: { account: { manage_apikeys: false } } }],
    ["POST", shut],
    ["DELETE", undefined],
  ] as const) {
    const answer = await call(method, `${path}/admin`, body);
    expect([answer.status, answer.body["message"]]).toEqual([400, expect.stringContaining("last user")]);
  }
  const other = wish();
  await must("PUT", path, other);
  expect((await call("DELETE", `${path}/admin`)).status).toBe(200);
  expect((await call("DELETE", `${path}/${other.username}`)).status).toBe(400);
});

test("neither a user without a password nor a key replaces the last administrator who has one", async () => {
  const { user } = await signedIn(alone);
  const invited = wish();
  await alone.must("PUT", path, invited);
  const [first] = await alone.must<{ id: string }[]>("GET", "account/apikeys");
  const made = { name: newId(), expiry_duration: "1d" };
  const { secrets } = await alone.must<{ secrets: { key: string }[] }>("PUT", "account/apikeys", made);
  const { must, call } = alone.client(secrets[0]!.key);
  const less = { permissions: { account: { manage_users: false } } };
  await alone.must("POST", `account/apikeys/${first!.id}`, less);
  for (const [method, body] of [
    ["DELETE", undefined],
    ["POST", less],
  ] as const) {
    const answer = await call(method, `${path}/${user.username}`, body);
    expect([answer.status, answer.body["message"]]).toEqual([400, expect.stringContaining("has set a password")]);
  }
  const team = await must("PUT", "account/teams", { name: newId() });
  for (const { username } of [user, invited]) await must("POST", `${path}/${username}`, { teams: [team["id"]] });
  expect((await call("POST", `account/teams/${team["id"]}`, less)).status).toBe(400);
  expect((await call("DELETE", `${path}/${invited.username}`)).status).toBe(200);
  const { user: other } = await signedIn(alone);
  expect((await call("DELETE", `${path}/${user.username}`)).status).toBe(200);
  await alone.store.db.updateTable("api_key").set({ permissions: "{}" }).where("id", "=", first!.id).execute();
  const last = await call("DELETE", `${path}/${other.username}`);
  expect([last.status, last.body["message"]]).toEqual([400, expect.stringContaining("manage_users")]);
});
