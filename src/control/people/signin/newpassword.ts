/** Setting a password: with the token of a link, or with the current password. */

import { invalid, missing } from "../../../lib/problem.ts";
import { lockAccount } from "../../kit/store.ts";
import type { Ctx } from "../../write/context.ts";
import { setPassword } from "../credentials/credential-store.ts";
import { forgetGuesses, type Guess, giveBackGuess, takeGuess, tryGuess } from "../credentials/guesses.ts";
import { assertPassword, hashPassword } from "../credentials/password.ts";
import { passwordProof, removeSessions } from "../credentials/session-store.ts";
import { callerOf, hasTotp } from "../credentials/sign-in-user.ts";
import { findSigner, findSignerByLogin, findSignersByAddress, type Signer } from "../credentials/sign-in-user-store.ts";
import { findTokenUser, issueToken, pageLink, redeemToken, type TokenKind } from "../credentials/token.ts";
import { removeTokens } from "../credentials/token-store.ts";
import { loginOf } from "../members/login.ts";
import { passwordChanged, passwordReset } from "../users/letters.ts";
import { mailUser, notifyUser } from "../users/mail.ts";
import type { SignInCtx } from "./context.ts";
import { getSession, senderOf } from "./current-session.ts";
import { assertFromHere, inQueue, proveAgain, resourceOf } from "./proofs.ts";
import { beginOnlySession, type Entered, endBrowserSession } from "./sign-in.ts";

/** Sets the password with the token of a link, and signs in as with the password: a second factor is still required. */
export async function setPasswordBy(
  ctx: SignInCtx,
  kind: TokenKind,
  token: string,
  password: string,
): Promise<Entered> {
  const found = await findByToken(ctx, kind, token);
  const sender = senderOf(ctx);
  assertPassword(password, found.username);
  const signer: Signer = { ...found, password: await inQueue(ctx, found.account_id, () => hashPassword(password)) };
  const { result: begun } = await ctx.transact(
    ["user", "password_set"],
    async (tx) => {
      if (!(await redeemToken(tx, kind, token))) throw invalidLink();
      await replacePassword(tx, signer);
      await removeSessions(tx.db, signer);
      await endBrowserSession({ ...ctx, ...tx });
      if (kind === "reset") await mailUser(tx, signer, passwordChanged);
      tx.afterCommit("callers");
      const stage = hasTotp(signer) ? "second_factor" : "full";
      return {
        result: await ctx.sessions.begin(tx.db, signer, passwordProof(signer), stage, sender),
        resource: resourceOf(signer),
      };
    },
    callerOf(signer),
  );
  // this lets in a user who was locked out by other people's guesses
  await forgetGuesses(ctx, ["login", loginOf(signer.username)]);
  return { begun, signer };
}

/** Changes the password with the current one. Other sessions end. */
export async function changePassword(ctx: SignInCtx, password: string, next: string): Promise<Entered> {
  const session = await getSession(ctx, "full");
  const before = await proveAgain(ctx, session, password);
  assertPassword(next, before.username);
  const signer: Signer = { ...before, password: await inQueue(ctx, before.account_id, () => hashPassword(next)) };
  const begun = await beginOnlySession(ctx, signer, "password_change", async (tx) => {
    await replacePassword(tx, signer);
    await notifyUser(tx, signer, passwordChanged);
  });
  return { begun, signer };
}

/** The maximum of users with the same e-mail address who get a link from one request. */
const mostOfAddress = 5;

/**
 * `named` is a login name or an e-mail address. The work is done after the reply, which does not reveal whether the
 * user exists.
 */
export async function askForReset(ctx: SignInCtx, named: string): Promise<void> {
  await takeGuess(ctx, ["asking", senderOf(ctx).bucket]);
  ctx.afterwards.add("sending a link to set a password", () => sendResets(ctx, loginOf(named)));
}

async function sendResets(ctx: SignInCtx, named: string): Promise<void> {
  // unknown names are limited in the same way, so that the limit reveals nothing
  if (!(await tryGuess(ctx, ["mail", named]))) return;
  const own = await findSignerByLogin(ctx.db, named);
  if (own) await sendReset(ctx, own);
  if (!named.includes("@")) return;
  for (const signer of await findSignersByAddress(ctx.db, named, mostOfAddress)) {
    const login = loginOf(signer.username);
    if (login !== named && (await tryGuess(ctx, ["mail", login]))) await sendReset(ctx, signer);
  }
}

async function sendReset(ctx: SignInCtx, found: Signer): Promise<void> {
  if (found.email === "") return;
  await ctx.transact(
    ["user", "password_reset"],
    async (tx) => {
      // locked, so that no link goes to an address that is being changed
      await lockAccount(tx.db, found.account_id);
      const signer = await findSigner(tx.db, found);
      if (!signer || signer.email === "") throw missing("the user is gone or has no e-mail address");
      const token = await issueToken(tx, signer, "reset");
      await mailUser(tx, signer, () => passwordReset(signer, pageLink(ctx.settings.publicUrl, "reset", token)));
      return { result: undefined, resource: resourceOf(signer) };
    },
    callerOf(found),
  );
}

async function findByToken(ctx: SignInCtx, kind: TokenKind, token: string): Promise<Signer> {
  const guess: Guess = ["address", senderOf(ctx).bucket];
  await takeGuess(ctx, guess);
  const user = await findTokenUser(ctx, kind, token);
  const signer = user && (await findSigner(ctx.db, user));
  if (!signer) throw invalidLink();
  assertFromHere(ctx, signer);
  await giveBackGuess(ctx, guess);
  return signer;
}

/** Sets the password. Tokens sent for setting a password become invalid. */
async function replacePassword(tx: Ctx, signer: Signer): Promise<void> {
  await setPassword(tx.db, signer, signer.password);
  await removeTokens(tx.db, signer);
}

const invalidLink = () => invalid("this link was already used or has expired: request a new one", { field: "token" });
