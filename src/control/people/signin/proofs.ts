/** Checks of passwords and second factors. Guesses are limited, and wrong guesses are entries of the activity log. */

import { invalid, type Problem, unauthenticated } from "../../../lib/problem.ts";
import { assertAdmitted, whoseListRefuses } from "../../access/admission.ts";
import { activityEntry } from "../../write/activity/entry.ts";
import { insertEntry } from "../../write/activity/store.ts";
import type { Ctx } from "../../write/context.ts";
import { type Attempt, countAttempt, uncountAttempt } from "../credentials/attempts.ts";
import { takeRecoveryCode, takeStep } from "../credentials/credential-store.ts";
import { isPassword } from "../credentials/password.ts";
import { isLikeRecoveryCode, recoveryHash } from "../credentials/recovery.ts";
import { callerOf } from "../credentials/sign-in-user.ts";
import { findSignInUser, type SignInUser } from "../credentials/sign-in-user-store.ts";
import { stepOf } from "../credentials/totp.ts";
import { resourceOf, type SignInCtx } from "./context.ts";
import { senderOf } from "./current-session.ts";
import type { Session } from "./sessions.ts";

interface PasswordCheck {
  find(): Promise<SignInUser | undefined>;
  /** The login name or account whose queue the check joins if no user is found. */
  readonly party: string;
  readonly attempts: readonly Attempt[];
  refusal(): Problem;
}

/** Counts a guess, and throws the refusal if the password is wrong. */
export async function checkPassword(
  ctx: SignInCtx,
  password: string,
  { find, party, attempts, refusal }: PasswordCheck,
): Promise<SignInUser> {
  const known = await find();
  return await runInQueue(ctx, known?.account_id ?? party, async () => {
    await countAttempt(ctx, ...attempts);
    // read again: the user may have changed during the wait
    const user = await find();
    const isRight = await isPassword(user?.password ?? null, password).catch(async (error: unknown) => {
      // the password was not checked
      await uncountAttempt(ctx, ...attempts);
      throw error;
    });
    // computed in any case: the time must not reveal that the password was right
    const isExcluded = user !== undefined && whoseListRefuses(callerOf(user), senderOf(ctx).address) !== undefined;
    if (!user || !isRight || isExcluded) {
      if (user) logLater(ctx, user, isRight ? "sign_in_refused" : "password_failed");
      throw refusal();
    }
    await uncountAttempt(ctx, ...attempts);
    return user;
  });
}

/** Returns the session's user, read again, if the password is right. Other people's guesses do not delay this check. */
export const checkOwnPassword = (ctx: SignInCtx, { id, user }: Session, password: string): Promise<SignInUser> =>
  checkPassword(ctx, password, {
    find: () => findSignInUser(ctx.db, user),
    party: user.account_id,
    attempts: [["proof", id]],
    refusal: () => unauthenticated("wrong password", { field: "password" }),
  });

/**
 * Runs work that checks or hashes a password in the queue. Unknown users wait like known users, so the wait reveals
 * nothing.
 */
export function runInQueue<T>(
  ctx: Pick<SignInCtx, "secrets" | "passwordQueue" | "sender">,
  accountOrLogin: string,
  work: () => Promise<T>,
): Promise<T> {
  // one of 256 parties, so that made-up names do not gain more than their share
  const party = ctx.secrets.hash(`password-queue:${accountOrLogin}`).slice(0, 2);
  return ctx.passwordQueue.run({ party, address: senderOf(ctx).network }, work);
}

/**
 * Throws if the user may not sign in from this address. The message says so, unlike for a password: a link cannot be
 * guessed, so its reader is the user.
 */
export function assertAddressAllowed(ctx: SignInCtx, user: SignInUser): void {
  try {
    assertAdmitted(callerOf(user), senderOf(ctx).address);
  } catch (error) {
    logLater(ctx, user, "sign_in_refused");
    throw error;
  }
}

export interface SecondFactorProof {
  readonly code?: string | null;
  readonly recovery_code?: string | null;
}

/** `used`: a current code that was already used, or that is older than a used code. */
type Verdict = "right" | "wrong" | "used";

const verdicts: Readonly<Record<Exclude<Verdict, "right">, string>> = {
  wrong: "wrong code",
  used: "this code, or a later one, was already used: wait for the next",
};

interface SecondFactorCheck {
  readonly user: SignInUser;
  readonly attempts: readonly Attempt[];
  /** Uses the proof up in a transaction, so that two requests cannot both use it. */
  use(tx: Ctx): Promise<Verdict>;
}

/** Counts a guess at the second factor. `write` runs a transaction that begins with the check. */
export async function checkSecondFactor<T>(
  ctx: SignInCtx,
  { user, attempts, use }: SecondFactorCheck,
  write: (check: (tx: Ctx) => Promise<void>) => Promise<T>,
): Promise<T> {
  await countAttempt(ctx, ...attempts);
  let isRight = true;
  try {
    const result = await write(async (tx) => {
      const verdict = await use(tx);
      isRight = verdict === "right";
      if (verdict !== "right") throw unauthenticated(verdicts[verdict], { field: "code" });
    });
    await uncountAttempt(ctx, ...attempts);
    return result;
  } catch (error) {
    if (!isRight) await logFailure(ctx, user, "second_factor_failed");
    throw error;
  }
}

/** Returns the `use` of a check for the proof. */
export async function readSecondFactor(
  ctx: SignInCtx,
  user: SignInUser,
  { code, recovery_code }: SecondFactorProof,
): Promise<SecondFactorCheck["use"]> {
  if (typeof recovery_code === "string") {
    const hash = recoveryHash(user, recovery_code);
    return async (tx) => ((await takeRecoveryCode(tx.db, user, hash)) ? "right" : "wrong");
  }
  if (typeof code !== "string") throw invalid("code or recovery_code is required", { field: "code" });
  if (isLikeRecoveryCode(code)) {
    throw invalid("this looks like a recovery code: send it as recovery_code", { field: "recovery_code" });
  }
  const step = await stepOf(totpOf(ctx, user), code, ctx.now);
  if (step === undefined) return async () => "wrong";
  return async (tx) => ((await takeStep(tx.db, user, step)) ? "right" : "used");
}

/** The secret of the second factor, confirmed or not. */
export function totpOf({ secrets }: Ctx, { id, totp }: SignInUser): string {
  if (totp === null) throw invalid("there is no second factor");
  return secrets.open(totp, totpContext(id));
}

/** The context to which the encryption of the secret is bound. */
export const totpContext = (user_id: string) => `user_credential.totp:${user_id}`;

/** Logs the failure later, so that the time of a refusal does not reveal that the user exists. */
const logLater = (ctx: SignInCtx, user: SignInUser, action: string) =>
  ctx.delayedWork.add("writing an entry of the activity log", () => logFailure(ctx, user, action));

async function logFailure(ctx: SignInCtx, user: SignInUser, action: string): Promise<void> {
  const { address } = senderOf(ctx);
  const resource = resourceOf(user);
  const entry = { caller: callerOf(user), address, log: ["user", action], resource, now: ctx.now } as const;
  await insertEntry(ctx.db, activityEntry(entry));
}
