/** Tokens for setting a password, and the effect of a new invitation, a reset and a deletion. */
import { randomBytes } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { testStore } from "../../../../test/store/store.ts";
import { insertAccount } from "../../../../test/store/writes.ts";
import { newId } from "../../../lib/ids.ts";
import { secretsFrom } from "../../../lib/secrets.ts";
import { findCredential } from "./credential-store.ts";
import { hasPassword, resetSecondFactor, revokeAll } from "./management.ts";
import { issueToken, pageLink, redeemToken, type TokenKind } from "./token.ts";
import type { UserRef } from "./user-rows-store.ts";

const store = await testStore();
const secrets = secretsFrom([randomBytes(32)]);
const account_id = await insertAccount(store);
const notified: unknown[] = [];
const ctx = {
  db: store.db,
  secrets,
  now: 1_000_000,
  afterCommit: (act: unknown) => void notified.push(act),
};
const redeem = (kind: TokenKind, token: string, later = 0) =>
  redeemToken({ ...ctx, now: ctx.now + later }, kind, token);

let user: UserRef;
beforeEach(async () => {
  user = { account_id, id: newId() };
  const fields = { username: user.id, email: "", name: "", permissions: "{}", created: 0, last_access: null };
  await store.db
    .insertInto("account_user")
    .values({ ...user, ...fields })
    .execute();
});

const credentials = async () => {
  const password = "of no use";
  await store.db
    .insertInto("user_credential")
    .values({ account_id, user_id: user.id, password, totp: "sealed", totp_since: 1, totp_step: 1 })
    .execute();
  await store.db.insertInto("recovery_code").values({ account_id, user_id: user.id, hash: "h" }).execute();
  const when = { created: 0, used_at: 0, address: "", agent: "" };
  await store.db
    .insertInto("user_session")
    .values({ account_id, user_id: user.id, hash: newId(), id: newId(), stage: "full", ...when })
    .execute();
};

test("an invitation works once, also when sent twice at the same time, and has 256 bits that the store does not contain", async () => {
  const token = await issueToken(ctx, user, "invitation");
  expect(Buffer.from(token, "base64url")).toHaveLength(32);
  const rows = await store.db.selectFrom("user_token").selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(token);
  const taken = await Promise.all(Array.from({ length: 8 }, () => redeem("invitation", token)));
  expect(taken.filter((one) => one !== undefined)).toEqual([{ ...user, sent_to: null }]);
});

test("an earlier token stops working when a new token is issued, and each kind of token works only for its purpose", async () => {
  const first = await issueToken(ctx, user, "invitation");
  const reset = await issueToken(ctx, user, "reset");
  const second = await issueToken(ctx, user, "invitation");
  expect(await redeem("invitation", first)).toBeUndefined();
  expect(await redeem("invitation", reset)).toBeUndefined();
  expect(await redeem("reset", second)).toBeUndefined();
  expect(await redeem("invitation", second)).toMatchObject(user);
  expect(await redeem("reset", reset)).toMatchObject(user);
});

test("an invitation is valid for 72 hours, a reset for one hour", async () => {
  for (const [kind, hours] of [
    ["invitation", 72],
    ["reset", 1],
  ] as const) {
    const token = await issueToken(ctx, user, kind);
    expect(await redeem(kind, token, hours * 3600)).toBeUndefined();
    expect(await redeem(kind, token, hours * 3600 - 1)).toMatchObject(user);
  }
});

test("guessed tokens do not work", async () => {
  await issueToken(ctx, user, "invitation");
  for (const guess of ["", "x", randomBytes(32).toString("base64url"), secrets.hash("")]) {
    expect(await redeem("invitation", guess)).toBeUndefined();
  }
});

test("a link contains its token after the #, which browsers send to no server", () => {
  const link = new URL(pageLink("https://dns.example.com/", "invitation", "abc"));
  expect([link.pathname, link.search, link.hash]).toEqual(["/invitation", "", "#abc"]);
});

test("a user has a password once one is stored", async () => {
  expect(await hasPassword(ctx, user)).toBe(false);
  await credentials();
  expect(await hasPassword(ctx, user)).toBe(true);
});

test("resetting the second factor ends sessions, and keeps the password", async () => {
  expect(await resetSecondFactor(ctx, user)).toBe(false);
  await credentials();
  notified.length = 0;
  expect(await resetSecondFactor(ctx, user)).toBe(true);
  expect(notified).toEqual(["callers"]);
  expect(await findCredential(ctx.db, user)).toMatchObject({ totp: null, totp_since: null });
  expect(await hasPassword(ctx, user)).toBe(true);
  expect(await left()).toEqual({ recovery_code: 0, user_session: 0, user_token: 0, user_credential: 1 });
});

test("a deleted user's credentials, tokens and sessions are all removed", async () => {
  await credentials();
  const token = await issueToken(ctx, user, "reset");
  await revokeAll(ctx, user);
  expect(await left()).toEqual({ recovery_code: 0, user_session: 0, user_token: 0, user_credential: 0 });
  expect(await redeem("reset", token)).toBeUndefined();
});

async function left() {
  const tables = ["recovery_code", "user_session", "user_token", "user_credential"] as const;
  const counts = tables.map(async (table) => {
    const rows = await store.db.selectFrom(table).select("user_id").where("user_id", "=", user.id).execute();
    return [table, rows.length];
  });
  return Object.fromEntries(await Promise.all(counts));
}
