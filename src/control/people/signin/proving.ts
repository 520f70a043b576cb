/** What users prove to be who they are: a password, a code, each with a limit of guesses, and with an entry when it is wrong. */

import { invalid, type Problem, unauthenticated } from "../../../lib/problem.ts";
import { assertAdmitted, listAgainst } from "../../access/admission.ts";
import { activityEntry } from "../../write/activity/entry.ts";
import { insertEntry } from "../../write/activity/store.ts";
import type { Ctx } from "../../write/context.ts";
import { takeRecoveryCode, takeStep } from "../credentials/credential-store.ts";
import { type Guess, giveBackGuess, takeGuess } from "../credentials/guesses.ts";
import { isPassword } from "../credentials/password.ts";
import { isLikeRecoveryCode, recoveryHash } from "../credentials/recovery.ts";
import { callerOf } from "../credentials/signer.ts";
import { findSigner, type Signer } from "../credentials/signer-store.ts";
import { stepOf } from "../credentials/totp.ts";
import type { SignInCtx } from "./context.ts";
import { senderOf } from "./current.ts";
import type { Session } from "./sessions.ts";

interface Proving {
  find(): Promise<Signer | undefined>;
  /** With whom it waits for its turn when nobody is found. */
  readonly turn: string;
  readonly guesses: readonly Guess[];
  refusal(): Problem;
}

/** Counts a guess, and throws the refusal unless it is right. */
export async function provePassword(
  ctx: SignInCtx,
  password: string,
  { find, turn, guesses, refusal }: Proving,
): Promise<Signer> {
  const known = await find();
  return await inTurn(ctx, known?.account_id ?? turn, async () => {
    await takeGuess(ctx, ...guesses);
    // again: it may have changed while others had their turns
    const signer = await find();
    const isRight = await isPassword(signer?.password ?? null, password).catch(async (error: unknown) => {
      // nobody looked at it
      await giveBackGuess(ctx, ...guesses);
      throw error;
    });
    // looked at in any case: how long it takes must not tell that the password was right
    const isKeptOut = signer !== undefined && listAgainst(callerOf(signer), senderOf(ctx).address) !== undefined;
    if (!signer || !isRight || isKeptOut) {
      if (signer) noteLater(ctx, signer, isRight ? "sign_in_refused" : "password_failed");
      throw refusal();
    }
    await giveBackGuess(ctx, ...guesses);
    return signer;
  });
}

/** The user as the store has it now, who has shown to know the password. Strangers' guesses keep nobody here waiting. */
export const provePresent = (ctx: SignInCtx, { id, signer }: Session, password: string): Promise<Signer> =>
  provePassword(ctx, password, {
    find: () => findSigner(ctx.db, signer),
    turn: signer.account_id,
    guesses: [["proof", id]],
    refusal: () => unauthenticated("wrong password"),
  });

/** What looks at passwords, and makes them. Whoever is not there has a turn as users have: a wait tells nothing of it. */
export function inTurn<T>(
  ctx: Pick<SignInCtx, "secrets" | "entrance" | "sender">,
  accountOrLogin: string,
  work: () => Promise<T>,
): Promise<T> {
  // one of a few hundred, so that nobody has many turns by names that they make up
  const party = ctx.secrets.hash(`entrance:${accountOrLogin}`).slice(0, 2);
  return ctx.entrance.pass({ party, address: senderOf(ctx).bucket }, work);
}

/** For whoever has a link, which is no matter of guesses: they are told why they are not let in. */
export function assertFromHere(ctx: SignInCtx, signer: Signer): void {
  try {
    assertAdmitted(callerOf(signer), senderOf(ctx).address);
  } catch (error) {
    noteLater(ctx, signer, "sign_in_refused");
    throw error;
  }
}

export interface SecondProof {
  readonly code?: string | null;
  readonly recovery_code?: string | null;
}

/** `used`: a code of now, which was taken already, or one after it was. */
export type Verdict = "right" | "wrong" | "used";

const verdicts: Readonly<Record<Exclude<Verdict, "right">, string>> = {
  wrong: "wrong code",
  used: "this code was used already, or one after it: wait for the next",
};

/** Counts a guess at the second factor. `use` proves it in its transaction, so that of two at once one has taken it. */
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
    if (!isRight) await noteFailure(ctx, signer, "second_factor_failed");
    throw error;
  }
}

/** What takes the proof, so that nobody takes it again. */
export async function takerOf(
  ctx: SignInCtx,
  signer: Signer,
  { code, recovery_code }: SecondProof,
): Promise<(tx: Ctx) => Promise<Verdict>> {
  if (typeof recovery_code === "string") {
    const hash = recoveryHash(signer, recovery_code);
    return async (tx) => ((await takeRecoveryCode(tx.db, signer, hash)) ? "right" : "wrong");
  }
  if (typeof code !== "string") throw invalid("code or recovery_code is needed", { field: "code" });
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

/** Nobody can tell by the time of a refusal that there was somebody to write an entry for. */
const noteLater = (ctx: SignInCtx, signer: Signer, action: string) =>
  ctx.afterwards.add("an entry of the activity log", () => noteFailure(ctx, signer, action));

async function noteFailure(ctx: SignInCtx, signer: Signer, action: string): Promise<void> {
  const { address } = senderOf(ctx);
  const resource = resourceOf(signer);
  const entry = { caller: callerOf(signer), address, log: ["user", action], resource, now: ctx.now } as const;
  await insertEntry(ctx.db, activityEntry(entry));
}

/** What the activity log has of it. */
export const resourceOf = ({ id, username }: Signer) => ({ id, username });
