/** Signing in with the token of a link. */

import { invalid } from "../../../lib/problem.ts";
import { attemptsFrom, countAttempt, uncountAttempt } from "../credentials/attempts.ts";
import { findSignInUser, type SignInUser } from "../credentials/sign-in-user-store.ts";
import { findTokenUser, redeemToken, type TokenKind } from "../credentials/token.ts";
import type { SignInCtx } from "./context.ts";
import { senderOf } from "./current-session.ts";
import { assertAddressAllowed } from "./proofs.ts";
import { beginSession, endBrowserSession, type SignInResult } from "./sign-in.ts";

/** Signs the first user in, who has neither password nor second factor, with the link that the start printed. */
export async function signInFirst(ctx: SignInCtx, token: string): Promise<SignInResult> {
  const user = await findByToken(ctx, "first", token);
  const redeem = async (tx: SignInCtx) => {
    if (!(await redeemToken(tx, "first", token))) throw invalidLink();
    await endBrowserSession(tx);
  };
  return { user, newSession: await beginSession(ctx, user, "first_sign_in", redeem, { proof: { by: "first" } }) };
}

/** The user of a token. Counts a guess if there is none. */
export async function findByToken(ctx: SignInCtx, kind: TokenKind, token: string): Promise<SignInUser> {
  const attempts = attemptsFrom("address", senderOf(ctx));
  await countAttempt(ctx, ...attempts);
  const found = await findTokenUser(ctx, kind, token);
  const user = found && (await findSignInUser(ctx.db, found));
  if (!user) throw invalidLink();
  assertAddressAllowed(ctx, user);
  await uncountAttempt(ctx, ...attempts);
  return user;
}

export const invalidLink = () =>
  invalid("this link was already used or has expired: request a new one", { field: "token" });
