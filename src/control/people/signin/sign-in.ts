/** Signing in: a password, then a second factor if the user has one. */

import { assertActive } from "../../access/admission.ts";
import type { Ctx } from "../../write/context.ts";
import { attemptsFrom } from "../credentials/attempts.ts";
import {
  type Proof,
  passwordProof,
  removeSession,
  removeSessions,
  renewSession,
} from "../credentials/session-store.ts";
import { hasTotp } from "../credentials/sign-in-user.ts";
import { findSignInUserByLogin, type SignInUser } from "../credentials/sign-in-user-store.ts";
import { loginOf } from "../members/login.ts";
import { type SignInCtx, writeAs } from "./context.ts";
import { getSession, notSignedIn, senderOf } from "./current-session.ts";
import {
  checkOwnPassword,
  checkPassword,
  checkSecondFactor,
  readSecondFactor,
  type SecondFactorProof,
} from "./proofs.ts";
import { type NewSession, signInRefused } from "./sessions.ts";

/** A user who has signed in, and the new session. */
export interface SignInResult {
  readonly newSession: NewSession;
  readonly user: SignInUser;
}

/**
 * Signs in with a password. A wrong password, a right password from an address that is not allowed, and an unknown user
 * get the same refusal after the same time.
 */
export async function signIn(ctx: SignInCtx, username: string, password: string): Promise<SignInResult> {
  const login = loginOf(username);
  const sender = senderOf(ctx);
  const user = await checkPassword(ctx, password, {
    find: () => findSignInUserByLogin(ctx.db, login),
    party: login,
    attempts: [["login", login], ...attemptsFrom("address", sender)],
    refusal: signInRefused,
  });
  assertActive(user.suspended_at !== null);
  if (!hasTotp(user)) return { user, newSession: await beginSession(ctx, user, "sign_in", endBrowserSession) };
  await endBrowserSession(ctx);
  ctx.sessions.forget();
  return { user, newSession: await ctx.sessions.begin(ctx.db, user, passwordProof(user), "second_factor", sender) };
}

/** Begins a session and logs the action, in one transaction with `before`. */
export const beginSession = (
  ctx: SignInCtx,
  user: SignInUser,
  action: string,
  before: (tx: SignInCtx) => Promise<unknown>,
  { stage = "full", proof = passwordProof(user) }: { stage?: "full" | "second_factor"; proof?: Proof } = {},
): Promise<NewSession> =>
  writeAs(ctx, user, action, async (tx) => {
    await before({ ...ctx, ...tx });
    tx.afterCommit("callers");
    return await ctx.sessions.begin(tx.db, user, proof, stage, senderOf(ctx));
  });

/** Makes a change and begins a new session in one transaction. All other sessions of the user end. */
export const beginOnlySession = (
  ctx: SignInCtx,
  user: SignInUser,
  action: string,
  change: (tx: SignInCtx) => Promise<unknown>,
) =>
  beginSession(ctx, user, action, async (tx) => {
    await change(tx);
    await removeSessions(tx.db, user);
  });

/** Ends the browser's earlier session, so that its id cannot be used again. */
export async function endBrowserSession(ctx: SignInCtx): Promise<void> {
  const sender = senderOf(ctx);
  // safe: true, because a new sign-in does not know the earlier session's CSRF token
  const earlier = await ctx.sessions.find({ ...sender.credentials, safe: true }, sender);
  if (earlier) await removeSession(ctx.db, earlier.user, earlier.id);
}

/** The second step of signing in: a current code that was not used before, or a recovery code. */
export async function completeSignIn(ctx: SignInCtx, proof: SecondFactorProof): Promise<SignInResult> {
  const { user } = await getSession(ctx, "second_factor");
  const use = await readSecondFactor(ctx, user, proof);
  const attempts = [["code", user.id] as const, ...attemptsFrom("address", senderOf(ctx))];
  const newSession = await checkSecondFactor(ctx, { user, attempts, use }, (check) =>
    beginSession(ctx, user, "sign_in", async (tx) => {
      await check(tx);
      await endBrowserSession(tx);
    }),
  );
  return { newSession, user };
}

/** Proves again who uses the session: with the password, and a second factor where there is one. */
export async function confirmSession(ctx: SignInCtx, password: string, proof: SecondFactorProof): Promise<void> {
  const session = await getSession(ctx, "full");
  const { id } = session;
  const user = await checkOwnPassword(ctx, session, password);
  const confirm = (check?: (tx: Ctx) => Promise<void>) =>
    writeAs(ctx, user, "password_confirm", async (tx) => {
      await check?.(tx);
      if (!(await renewSession(tx.db, user, id, passwordProof(user), tx.now))) throw notSignedIn();
      tx.afterCommit("callers");
    });
  if (!hasTotp(user)) return await confirm();
  const use = await readSecondFactor(ctx, user, proof);
  await checkSecondFactor(ctx, { user, attempts: [["proof", id]], use }, confirm);
}
