/**
 * Proofs of a user's identity: passwords and codes. Guesses are limited, and a wrong one is logged in the activity log.
 */

import { invalid, type Problem, unauthenticated } from "../../../lib/problem.ts";
import { assertAdmitted, listAgainst } from "../../access/admission.ts";
import { activityEntry } from "../../write/activity/entry.ts";
import { insertEntry } from "../../write/activity/store.ts";
import type { Ctx } from "../../write/context.ts";
import { takeRecoveryCode, takeStep } from "../credentials/credential-store.ts";
import { type Guess, giveBackGuess, takeGuess } from "../credentials/guesses.ts";
import { isPassword } from "../credentials/password.ts";
import { isLikeRecoveryCode, recoveryHash } from "../credentials/recovery.ts";
import { callerOf } from "../credentials/sign-in-user.ts";
import { findSigner, type Signer } from "../credentials/sign-in-user-store.ts";
import { stepOf } from "../credentials/totp.ts";
import type { SignInCtx } from "./context.ts";
import { senderOf } from "./current-session.ts";
import type { Session } from "./sessions.ts";

interface Proving {
  find(): Promise<Signer | undefined>;
  /** The party in whose queue the check waits if no user is found. */
  readonly party: string;
  readonly guesses: readonly Guess[];
  refusal(): Problem;
}

/** Counts a guess, and throws the refusal if the password is wrong. */
export async function provePassword(
  ctx: SignInCtx,
  password: string,
  { find, party, guesses, refusal }: Proving,
): Promise<Signer> {
  const known = await find();
  return await inQueue(ctx, known?.account_id ?? party, async () => {
    await takeGuess(ctx, ...guesses);
    // again: the user may have changed during the wait
    const signer = await find();
    const isRight = await isPassword(signer?.password ?? null, password).catch(async (error: unknown) => {
      // the password was not checked
      await giveBackGuess(ctx, ...guesses);
      throw error;
    });
    // computed in any case: the time must not reveal that the password was right
    const isKeptOut = signer !== undefined && listAgainst(callerOf(signer), senderOf(ctx).address) !== undefined;
    if (!signer || !isRight || isKeptOut) {
      if (signer) logLater(ctx, signer, isRight ? "sign_in_refused" : "password_failed");
      throw refusal();
    }
    await giveBackGuess(ctx, ...guesses);
    return signer;
  });
}

/**
 * Returns the session's user, freshly read, if the password is right. The guesses of strangers do not delay this check.
 */
export const proveAgain = (ctx: SignInCtx, { id, signer }: Session, password: string): Promise<Signer> =>
  provePassword(ctx, password, {
    find: () => findSigner(ctx.db, signer),
    party: signer.account_id,
    guesses: [["proof", id]],
    refusal: () => unauthenticated("wrong password"),
  });

/**
 * Runs a check or a hash of a password in the queue. Unknown users wait like known ones, so the wait reveals nothing.
 */
export function inQueue<T>(
  ctx: Pick<SignInCtx, "secrets" | "entrance" | "sender">,
  accountOrLogin: string,
  work: () => Promise<T>,
): Promise<T> {
  // one of a few hundred parties, so that made-up names do not gain more than their share
  const party = ctx.secrets.hash(`entrance:${accountOrLogin}`).slice(0, 2);
  return ctx.entrance.pass({ party, address: senderOf(ctx).bucket }, work);
}

/**
 * Throws with the reason if the user may not come from this address. The owner of a link may know it: links are not
 * guessed.
 */
export function assertFromHere(ctx: SignInCtx, signer: Signer): void {
  try {
    assertAdmitted(callerOf(signer), senderOf(ctx).address);
  } catch (error) {
    logLater(ctx, signer, "sign_in_refused");
    throw error;
  }
}

export interface SecondProof {
  readonly code?: string | null;
  readonly recovery_code?: string | null;
}

/** `used`: a current code that was already used, or that is older than one that was. */
export type Verdict = "right" | "wrong" | "used";

const verdicts: Readonly<Record<Exclude<Verdict, "right">, string>> = {
  wrong: "wrong code",
  used: "this code, or a later one, was already used: wait for the next",
};

/**
 * Counts a guess at the second factor. `use` takes the proof in its transaction, so that two requests cannot use it at
 * once.
 */
export async function proveCode<T>(
  ctx: SignInCtx,
  signer: Signer,
  guesses: readonly Guess[],
  use: (prove: (take: () => Promise<Verdict>) => Promise<void>) => Promise<T>,
): Promise<T> {
  await takeGuess(ctx, ...guesses);
  let isRight = true;
  try {
    const result = await use(async (take) => {
      const verdict = await take();
      isRight = verdict === "right";
      if (verdict !== "right") throw unauthenticated(verdicts[verdict]);
    });
    await giveBackGuess(ctx, ...guesses);
    return result;
  } catch (error) {
    if (!isRight) await logFailure(ctx, signer, "second_factor_failed");
    throw error;
  }
}

/** Returns a function that takes the proof, so that it cannot be used again. */
export async function takerOf(
  ctx: SignInCtx,
  signer: Signer,
  { code, recovery_code }: SecondProof,
): Promise<(tx: Ctx) => Promise<Verdict>> {
  if (typeof recovery_code === "string") {
    const hash = recoveryHash(signer, recovery_code);
    return async (tx) => ((await takeRecoveryCode(tx.db, signer, hash)) ? "right" : "wrong");
  }
  if (typeof code !== "string") throw invalid("code or recovery_code is required", { field: "code" });
  if (isLikeRecoveryCode(code)) {
    throw invalid("this looks like a recovery code: send it as recovery_code", { field: "recovery_code" });
  }
  const step = await stepOf(totpOf(ctx, signer), code, ctx.now);
  if (step === undefined) return async () => "wrong";
  return async (tx) => ((await takeStep(tx.db, signer, step)) ? "right" : "used");
}

/** The secret of the second factor, confirmed or not. */
export function totpOf({ secrets }: Ctx, { id, totp }: Signer): string {
  if (totp === null) throw invalid("there is no second factor");
  return secrets.open(totp, totpContext(id));
}

export const totpContext = (user_id: string) => `user_credential.totp:${user_id}`;

/** Logs the failure later, so that the time of a refusal does not reveal that the user exists. */
const logLater = (ctx: SignInCtx, signer: Signer, action: string) =>
  ctx.afterwards.add("writing an entry of the activity log", () => logFailure(ctx, signer, action));

async function logFailure(ctx: SignInCtx, signer: Signer, action: string): Promise<void> {
  const { address } = senderOf(ctx);
  const resource = resourceOf(signer);
  const entry = { caller: callerOf(signer), address, log: ["user", action], resource, now: ctx.now } as const;
  await insertEntry(ctx.db, activityEntry(entry));
}

/** The user as a resource of the activity log. */
export const resourceOf = ({ id, username }: Signer) => ({ id, username });
