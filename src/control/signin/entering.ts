/** Signing in: a password, then a second factor where there is one, each with its own limit of guesses. */
import { invalid, unauthenticated } from "../../lib/problem.ts";
import { assertAdmitted } from "../access/admission.ts";
import { loginOf } from "../account/login.ts";
import { activityEntry } from "../activity/entry.ts";
import { insertEntry } from "../activity/store.ts";
import type { Ctx } from "../context.ts";
import { takeRecoveryCode, takeStep } from "./credential-store.ts";
import { getSession, senderOf } from "./current.ts";
import { type Guess, giveBackGuess, takeGuess } from "./guesses.ts";
import { isPassword } from "./password.ts";
import { isLikeRecoveryCode, recoveryHash } from "./recovery.ts";
import { removeSession, removeSessions } from "./session-store.ts";
import { type Begun, userOf } from "./sessions.ts";
import { callerOf, hasTotp } from "./signer.ts";
import { findSignerByLogin, type Signer } from "./signer-store.ts";
import { stepOf } from "./totp.ts";

export interface Entered {
  readonly begun: Begun;
  readonly signer: Signer;
}

/** The same refusal, after the same time, for a wrong password and for a user who is not there. */
export async function enter(ctx: Ctx, username: string, password: string): Promise<Entered> {
  const login = loginOf(username);
  const signer = await provePassword(ctx, login, password, () => findSignerByLogin(ctx.db, login));
  const sender = senderOf(ctx);
  assertAdmitted(callerOf(signer), sender.address);
  if (!hasTotp(signer)) return { signer, begun: await beginWhole(ctx, signer, "sign_in", endPresent) };
  await endPresent(ctx);
  ctx.forgetKeys();
  return { signer, begun: await ctx.sessions.begin(ctx.db, signer, "second_factor", sender) };
}

/** Counts a guess at the login name, and throws `refusal` unless it is right. */
export async function provePassword(
  ctx: Ctx,
  login: string,
  password: string,
  find: () => Promise<Signer | undefined>,
  refusal = "wrong user name or password",
): Promise<Signer> {
  const known = await find();
  return await inTurn(ctx, known?.account_id ?? login, () => lookAtPassword(ctx, login, password, find, refusal));
}

/** What looks at passwords, and makes them. Whoever is not there has a turn as users have: a wait tells nothing of it. */
export function inTurn<T>(ctx: Ctx, accountOrLogin: string, work: () => Promise<T>): Promise<T> {
  // one of a few hundred, so that nobody has many turns by names that they make up
  const party = ctx.secrets.hash(`entrance:${accountOrLogin}`).slice(0, 2);
  return ctx.sessions.entrance.pass({ party, address: senderOf(ctx).bucket }, work);
}

/** What the user is known by is looked for again: it may have changed while others had their turns. */
async function lookAtPassword(
  ctx: Ctx,
  login: string,
  password: string,
  find: () => Promise<Signer | undefined>,
  refusal: string,
): Promise<Signer> {
  const guesses: Guess[] = [
    ["login", login],
    ["address", senderOf(ctx).bucket],
  ];
  await takeGuess(ctx, ...guesses);
  const signer = await find();
  const isRight = await isPassword(signer?.password ?? null, password).catch(async (error: unknown) => {
    // nobody looked at it
    await giveBackGuess(ctx, ...guesses);
    throw error;
  });
  if (!isRight || !signer) {
    // nobody can tell by the time of the refusal that there was somebody to write an entry for
    if (signer)
      ctx.sessions.afterwards.add("an entry of the activity log", () => noteFailure(ctx, signer, "password_failed"));
    throw unauthenticated(refusal);
  }
  await giveBackGuess(ctx, ...guesses);
  return signer;
}

/** A whole session and an entry of the activity log, in one transaction with what goes before it. */
async function beginWhole(
  ctx: Ctx,
  signer: Signer,
  action: string,
  before: (tx: Ctx) => Promise<unknown>,
): Promise<Begun> {
  const sender = senderOf(ctx);
  const { result } = await ctx.transact(
    ["user", action],
    async (tx) => {
      await before({ ...tx, sender });
      tx.afterCommit(tx.forgetKeys);
      return { result: await ctx.sessions.begin(tx.db, signer, "full", sender), resource: resourceOf(signer) };
    },
    callerOf(signer),
  );
  return result;
}

/** The only session that the user has from now on: all others end with what is changed. */
export const beginAlone = (ctx: Ctx, signer: Signer, action: string, change: (tx: Ctx) => Promise<unknown>) =>
  beginWhole(ctx, signer, action, async (tx) => {
    await change(tx);
    await removeSessions(tx.db, signer);
  });

/** An earlier session of this browser is over, and its id is nobody's from now on. */
export async function endPresent(ctx: Ctx): Promise<void> {
  const { credentials } = senderOf(ctx);
  // whoever begins anew need not know the token of the one before
  const present = await ctx.sessions.find({ ...credentials, safe: true });
  if (present) await removeSession(ctx.db, userOf(present), present.id);
}

export interface SecondProof {
  readonly code?: string | null;
  readonly recovery_code?: string | null;
}

/** The second step: a code of now that was not taken before, or a recovery code. */
export async function enterFurther(ctx: Ctx, proof: SecondProof): Promise<Entered> {
  const { signer } = await getSession(ctx, "second_factor");
  const take = await takerOf(ctx, signer, proof);
  const begun = await proveCode(ctx, signer, (prove) =>
    beginWhole(ctx, signer, "sign_in", async (tx) => {
      await prove(() => take(tx));
      await endPresent(tx);
    }),
  );
  return { begun, signer };
}

/** `used`: a code of now, which was taken already, or one after it was. */
export type Verdict = "right" | "wrong" | "used";

const verdicts: Readonly<Record<Exclude<Verdict, "right">, string>> = {
  wrong: "wrong code",
  used: "this code was used already, or one after it: wait for the next",
};

/** Counts a guess at the second factor. `use` proves it in its transaction, so that of two at once one has taken it. */
export async function proveCode<T>(
  ctx: Ctx,
  signer: Signer,
  use: (prove: (take: () => Promise<Verdict>) => Promise<void>) => Promise<T>,
): Promise<T> {
  const guesses: Guess[] = [
    ["code", signer.id],
    ["address", senderOf(ctx).bucket],
  ];
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
async function takerOf(
  ctx: Ctx,
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

async function noteFailure(ctx: Ctx, signer: Signer, action: string): Promise<void> {
  const { address } = senderOf(ctx);
  const resource = resourceOf(signer);
  const entry = { caller: callerOf(signer), address, log: ["user", action], resource, now: ctx.now } as const;
  await insertEntry(ctx.db, activityEntry(entry));
}

/** What the activity log has of it. */
export const resourceOf = ({ id, username }: Signer) => ({ id, username });
