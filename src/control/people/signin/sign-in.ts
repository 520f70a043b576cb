/** Signing in: a password, then a second factor if the user has one. */

import { assertActive } from "../../access/admission.ts";
import type { Ctx } from "../../write/context.ts";
import { passwordProof, removeSession, removeSessions } from "../credentials/session-store.ts";
import { callerOf, hasTotp } from "../credentials/sign-in-user.ts";
import { findSignerByLogin, type Signer } from "../credentials/sign-in-user-store.ts";
import { loginOf } from "../members/login.ts";
import type { SignInCtx } from "./context.ts";
import { getSession, senderOf } from "./current-session.ts";
import { proveCode, provePassword, resourceOf, type SecondProof, takerOf } from "./proofs.ts";
import { type Begun, signInRefused, userOf } from "./sessions.ts";

export interface Entered {
  readonly begun: Begun;
  readonly signer: Signer;
}

/**
 * Signs in by a password. A wrong password, a right one from an address that is not allowed and an unknown user get the
 * same refusal after the same time.
 */
export async function enter(ctx: SignInCtx, username: string, password: string): Promise<Entered> {
  const login = loginOf(username);
  const sender = senderOf(ctx);
  const signer = await provePassword(ctx, password, {
    find: () => findSignerByLogin(ctx.db, login),
    party: login,
    guesses: [
      ["login", login],
      ["address", sender.bucket],
    ],
    refusal: signInRefused,
  });
  assertActive(signer.suspended_at !== null);
  if (!hasTotp(signer)) return { signer, begun: await beginFullSession(ctx, signer, "sign_in", endBrowserSession) };
  await endBrowserSession(ctx);
  ctx.sessions.forget();
  return { signer, begun: await ctx.sessions.begin(ctx.db, signer, passwordProof(signer), "second_factor", sender) };
}

/** Begins a full session and logs the action, in one transaction with `before`. */
async function beginFullSession(
  ctx: SignInCtx,
  signer: Signer,
  action: string,
  before: (tx: SignInCtx) => Promise<unknown>,
): Promise<Begun> {
  const sender = senderOf(ctx);
  const { result } = await ctx.transact(
    ["user", action],
    async (tx) => {
      await before({ ...ctx, ...tx });
      tx.afterCommit("callers");
      return {
        result: await ctx.sessions.begin(tx.db, signer, passwordProof(signer), "full", sender),
        resource: resourceOf(signer),
      };
    },
    callerOf(signer),
  );
  return result;
}

/** Makes a change and begins a new session in one transaction. All other sessions of the user end. */
export const beginOnlySession = (
  ctx: SignInCtx,
  signer: Signer,
  action: string,
  change: (tx: Ctx) => Promise<unknown>,
) =>
  beginFullSession(ctx, signer, action, async (tx) => {
    await change(tx);
    await removeSessions(tx.db, signer);
  });

/** Ends the browser's earlier session, so that its id cannot be used again. */
export async function endBrowserSession(ctx: SignInCtx): Promise<void> {
  const { credentials } = senderOf(ctx);
  // safe: true, because a new sign-in does not know the earlier session's CSRF token
  const present = await ctx.sessions.find({ ...credentials, safe: true });
  if (present) await removeSession(ctx.db, userOf(present), present.id);
}

/** The second step of signing in: a current code that was not used before, or a recovery code. */
export async function enterSecondFactor(ctx: SignInCtx, proof: SecondProof): Promise<Entered> {
  const { signer } = await getSession(ctx, "second_factor");
  const take = await takerOf(ctx, signer, proof);
  const { bucket } = senderOf(ctx);
  const begun = await proveCode(
    ctx,
    signer,
    [
      ["code", signer.id],
      ["address", bucket],
    ],
    (prove) =>
      beginFullSession(ctx, signer, "sign_in", async (tx) => {
        await prove(() => take(tx));
        await endBrowserSession(tx);
      }),
  );
  return { begun, signer };
}
