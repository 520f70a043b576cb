/** Sessions in the store: their lifetimes, the stored data, and their callers. */

import { randomBytes } from "node:crypto";
import { afterAll, beforeEach, expect, test } from "vitest";
import { fakeClock } from "../../../../test/machine/clock.ts";
import { silent, testStore } from "../../../../test/store/store.ts";
import { insertAccount } from "../../../../test/store/writes.ts";
import { newId } from "../../../lib/ids.ts";
import { secretsFrom } from "../../../lib/secrets.ts";
import { limits } from "../../kit/limits.ts";
import { setPassword } from "../credentials/credential-store.ts";
import { setFactorRequired } from "../credentials/factor-requirement-store.ts";
import { passwordProof, touchSessions, trimSessions } from "../credentials/session-store.ts";
import { findSignInUser, type SignInUser } from "../credentials/sign-in-user-store.ts";
import { blankUser, insertUser } from "../members/user-store.ts";
import { lifetimes, type NewSession, Sessions } from "./sessions.ts";

const store = await testStore();
const { db } = store;
const clock = fakeClock();
const parts = { store, secrets: secretsFrom([randomBytes(32)]), clock, log: silent };
const sessions = new Sessions(parts);
afterAll(() => sessions.close());
const account_id = await insertAccount(store);

let user: SignInUser;
beforeEach(async () => {
  const id = newId();
  const row = { ...blankUser, account_id, id, username: id, email: "", name: "", permissions: {}, created: 0 };
  await store.transaction((tx) => insertUser(tx, row));
  await setPassword(db, row, "a hash");
  user = (await findSignInUser(db, row))!;
});

const sender = { address: "192.0.2.1", bucket: "192.0.2.1", network: "192.0.2.1", agent: "a browser" };
const nothing = { key: undefined, session: undefined, csrf: undefined, safe: true };
const authenticate = ({ secret: session }: NewSession) =>
  sessions.authenticate({ ...nothing, session }, { ...sender, credentials: nothing });
const begin = (stage: "full" | "second_factor" = "full") =>
  sessions.begin(db, user, passwordProof(user), stage, { ...sender, credentials: nothing });
const find = ({ secret }: Pick<NewSession, "secret">, rest = {}) =>
  sessions.find({ ...nothing, session: secret, ...rest }, sender);
/** Advances the clock, and empties the cache: then the session is read as another process would read it. */
const after = (seconds: number) => {
  clock.advance(seconds * 1000);
  sessions.forget();
};

/** Uses the session in another process, which stores the use when it ends. */
async function useElsewhere({ secret: session }: NewSession): Promise<boolean> {
  const other = new Sessions(parts);
  const found = await other.find({ ...nothing, session }, sender);
  await other.close();
  return found !== undefined;
}

test("a session's secret has 256 bits, and is not in the store", async () => {
  const { secret, csrf } = await begin();
  expect(Buffer.from(secret, "base64url")).toHaveLength(32);
  const rows = JSON.stringify(await db.selectFrom("user_session").selectAll().execute());
  expect([rows.includes(secret), rows.includes(csrf)]).toEqual([false, false]);
  expect((await begin()).secret).not.toBe(secret);
});

test("a session ends an hour after its last use, and at most twelve hours after it began", async () => {
  const begun = await begin();
  let used = 0;
  for (; used < 20 && (await useElsewhere(begun)); used++) after(lifetimes.idle - 1);
  // each time a second less than an hour later
  expect(used).toBe(13);
  const idle = await begin();
  after(lifetimes.idle);
  expect(await find(idle)).toBeUndefined();
});

test("a session does not begin with a proof that is no longer valid", async () => {
  const before = user;
  await setPassword(db, before, "another hash");
  await expect(begin()).rejects.toThrow("wrong user name or password");
  user = { ...before, password: "another hash", totp_since: 1 };
  await expect(begin()).rejects.toThrow("wrong user name or password");
  user = { ...before, password: "another hash" };
  expect(await find(await begin())).toBeDefined();
});

test("a session has no caller before its second step, which must follow within ten minutes", async () => {
  const begun = await begin("second_factor");
  expect((await find(begun))?.stage).toBe("second_factor");
  await expect(authenticate(begun)).rejects.toMatchObject({ status: 401, details: { stage: "second_factor" } });
  after(lifetimes.incomplete);
  expect(await find(begun)).toBeUndefined();
});

test("while the account requires a second factor, a session without one can only set one up", async () => {
  const begun = await begin();
  expect(await authenticate(begun)).toMatchObject({ account_id, kind: "user", id: user.id });
  await setFactorRequired(db, account_id, true);
  after(1);
  await expect(authenticate(begun)).rejects.toMatchObject({ status: 401, details: { stage: "enrolment" } });
  expect((await find(begun))?.stage).toBe("enrolment");
  await setFactorRequired(db, account_id, false);
  after(1);
  expect(await authenticate(begun)).toBeDefined();
});

test("a session can write only with its own CSRF token", async () => {
  const [begun, other] = [await begin(), await begin()];
  const write = (csrf: string | undefined) => find(begun, { safe: false, csrf });
  expect(await write(begun.csrf)).toBeDefined();
  for (const wrong of [undefined, "", other.csrf, begun.secret, `${begun.csrf}0`]) {
    await expect(write(wrong)).rejects.toThrow("X-CSRF-Token");
  }
});

test("the last use of each session is stored, and the latest as the user's last access", async () => {
  for (let count = 0; count < 3; count++) await begin();
  const rows = db.selectFrom("user_session").select(["id as session_id", "used_at as at"]).orderBy("id");
  const ofUser = rows.where("user_id", "=", user.id);
  const sessions = await ofUser.execute();
  const used = [20, 30, 10].map((at, i) => ({ session_id: sessions[i]!.session_id, at }));
  await touchSessions(
    db,
    used.map((use) => ({ account_id, user_id: user.id, ...use })),
  );
  expect(await ofUser.execute()).toEqual(used);
  const row = db.selectFrom("account_user").select("last_access").where("id", "=", user.id);
  expect(await row.executeTakeFirst()).toEqual({ last_access: 30 });
});

test("a sign-in is the user's last access; a password alone is not", async () => {
  const row = db.selectFrom("account_user").select("last_access").where("id", "=", user.id);
  const lastAccess = async () => (await row.executeTakeFirst())?.last_access;
  const before = await lastAccess();
  clock.advance(5000);
  await begin("second_factor");
  expect(await lastAccess()).toBe(before);
  await begin();
  expect(await lastAccess()).toBe(Math.floor(clock.now() / 1000));
});

test("a user has at most twenty sessions: the oldest ends; incomplete sessions only end incomplete ones", async () => {
  const half = await begin("second_factor");
  const [first, second] = [await begin(), await begin()];
  clock.advance(1000);
  for (let count = 0; count < limits.sessions - 2; count++) await begin();
  expect(await find(first)).toBeDefined();
  clock.advance(1000);
  await begin();
  after(1);
  const left = await Promise.all([find(first), find(second)]);
  expect(left.filter((session) => session !== undefined)).toHaveLength(1);
  expect(await find(half)).toBeDefined();
});

test("a session is deleted from the store when it has ended, and not before", async () => {
  await db.deleteFrom("user_session").execute();
  await begin("second_factor");
  await begin();
  clock.advance(lifetimes.incomplete * 1000);
  await begin("second_factor");
  const count = async () => {
    await trimSessions(db, Math.floor(clock.now() / 1000), lifetimes);
    return (await db.selectFrom("user_session").select("id").execute()).length;
  };
  expect(await count()).toBe(2);
  clock.advance(lifetimes.idle * 1000);
  expect(await count()).toBe(0);
});
