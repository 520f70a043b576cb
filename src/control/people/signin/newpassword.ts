/** Setting a password: with the token of a link, with the current password, or in the session of a user without one. */

import { conflict, invalidField, missing } from "../../../lib/problem.ts";
import { lockAccount } from "../../kit/store.ts";
import type { Ctx } from "../../write/context.ts";
import { attemptsFrom, countAttempt, forgetAttempts, tryAttempt } from "../credentials/attempts.ts";
import { setFirstPassword, setPassword } from "../credentials/credential-store.ts";
import { assertPassword, hashPassword } from "../credentials/password.ts";
import { removeSessions } from "../credentials/session-store.ts";
import { hasTotp } from "../credentials/sign-in-user.ts";
import {
  findSignInUser,
  findSignInUserByLogin,
  findSignInUsersByAddress,
  type SignInUser,
} from "../credentials/sign-in-user-store.ts";
import { issueToken, type PasswordTokenKind, pageLink, redeemToken } from "../credentials/token.ts";
import { removeRows } from "../credentials/user-rows-store.ts";
import { loginOf } from "../members/login.ts";
import { passwordChanged, passwordReset } from "../users/letters.ts";
import { mailUser, notifyUser } from "../users/mail.ts";
import { type SignInCtx, writeAs } from "./context.ts";
import { getSession, senderOf } from "./current-session.ts";
import { findByToken, invalidLink } from "./links.ts";
import { checkOwnPassword, runInQueue } from "./proofs.ts";
import { beginOnlySession, beginSession, endBrowserSession, type SignInResult } from "./sign-in.ts";

/** Sets the password with the token of a link, and signs in as with the password: a second factor is still required. */
export async function setPasswordBy(
  ctx: SignInCtx,
  kind: PasswordTokenKind,
  token: string,
  password: string,
): Promise<SignInResult> {
  const found = await findByToken(ctx, kind, token);
  const user = await withPassword(ctx, found, password);
  const stage = hasTotp(user) ? "second_factor" : "full";
  const change = async (tx: SignInCtx) => {
    const redeemed = await redeemToken(tx, kind, token);
    if (!redeemed) throw invalidLink();
    await replacePassword(tx, user, redeemed.sent_to);
    await removeSessions(tx.db, user);
    await endBrowserSession(tx);
    if (kind === "reset") await mailUser(tx, user, passwordChanged);
  };
  const newSession = await beginSession(ctx, user, "password_set", change, { stage });
  // this lets in a user who was locked out by other people's guesses
  const names = new Set([user.username, user.email].map(loginOf));
  await forgetAttempts(ctx, ["login", loginOf(user.username)]);
  // others may have asked for links: this one is used up, so the user can ask for the next one at once
  for (const name of names) await forgetAttempts(ctx, ["mail", name]);
  return { newSession, user };
}

/**
 * Changes the password with the current one. Without one, sets the first password of a user who has none. Other sessions
 * end.
 */
export async function changePassword(
  ctx: SignInCtx,
  password: string | null | undefined,
  next: string,
): Promise<SignInResult> {
  if (password === null || password === undefined) return await giveFirstPassword(ctx, next);
  const session = await getSession(ctx, "full");
  const user = await withPassword(ctx, await checkOwnPassword(ctx, session, password), next);
  const newSession = await beginOnlySession(ctx, user, "password_change", async (tx) => {
    await replacePassword(tx, user);
    await notifyUser(tx, user, passwordChanged);
  });
  return { newSession, user };
}

async function giveFirstPassword(ctx: SignInCtx, next: string): Promise<SignInResult> {
  // a required second factor can only be set up with a password
  const session = await getSession(ctx, "full", "enrolment");
  if (session.user.password !== null) throw invalidField("password", "the current password is required");
  const user = await withPassword(ctx, session.user, next);
  const newSession = await beginOnlySession(ctx, user, "password_set", async (tx) => {
    if (!(await setFirstPassword(tx.db, user, user.password))) {
      throw conflict("a password was set meanwhile: sign in with it");
    }
    await removeRows(tx.db, "user_token", user);
  });
  return { newSession, user };
}

/** The user with the hash of a new password. Throws if the password is too weak. */
async function withPassword(
  ctx: SignInCtx,
  user: SignInUser,
  password: string,
): Promise<SignInUser & { readonly password: string }> {
  assertPassword(password, user.username);
  return { ...user, password: await runInQueue(ctx, user.account_id, () => hashPassword(password)) };
}

/** The maximum number of users with the same e-mail address who get a link from one request. */
const mostOfAddress = 5;

/**
 * `named` is a login name or an e-mail address. The work is done after the reply, which does not reveal whether the
 * user exists.
 */
export async function askForReset(ctx: SignInCtx, named: string): Promise<void> {
  await countAttempt(ctx, ...attemptsFrom("asking", senderOf(ctx)));
  ctx.delayedWork.add("sending a link to set a password", () => sendResets(ctx, loginOf(named)));
}

async function sendResets(ctx: SignInCtx, named: string): Promise<void> {
  // unknown names are limited in the same way, so that the limit reveals nothing
  if (!(await tryAttempt(ctx, ["mail", named]))) return;
  const own = await findSignInUserByLogin(ctx.db, named);
  if (own) await sendReset(ctx, own);
  if (!named.includes("@")) return;
  for (const user of await findSignInUsersByAddress(ctx.db, named, mostOfAddress)) {
    const login = loginOf(user.username);
    if (login !== named && (await tryAttempt(ctx, ["mail", login]))) await sendReset(ctx, user);
  }
}

async function sendReset(ctx: SignInCtx, found: SignInUser): Promise<void> {
  if (found.email === "") return;
  await writeAs(ctx, found, "password_reset", async (tx) => {
    // locked, so that no link goes to an address that is being changed
    await lockAccount(tx.db, found.account_id);
    const user = await findSignInUser(tx.db, found);
    if (!user || user.email === "") throw missing("the user is gone or has no e-mail address");
    const token = await issueToken(tx, user, "reset", user.email);
    await mailUser(tx, user, () => passwordReset(user, pageLink(ctx.settings.publicUrl, "reset", token)));
  });
}

/** Sets the password. Tokens sent for setting a password become invalid. */
async function replacePassword(tx: Ctx, user: SignInUser, provenEmail: string | null = null): Promise<void> {
  await setPassword(tx.db, user, user.password, provenEmail);
  await removeRows(tx.db, "user_token", user);
}
