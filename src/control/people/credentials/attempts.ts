/**
 * Limits for guesses at passwords and codes, and for mails: a number at once, then one more after each interval. The
 * counters are in the store, so that they apply across restarts and to all processes together. A guess is counted
 * before it is checked, so that concurrent guesses cannot exceed the limit. Mails are counted in the same way.
 */
import { limited } from "../../../lib/problem.ts";
import type { Ctx } from "../../write/context.ts";
import { findGuesses, giveBackOne, removeGuesses, takeOne } from "./attempt-store.ts";

interface Limit {
  readonly atOnce: number;
  /** The interval in milliseconds after which one more is allowed. */
  readonly every: number;
}

const minute = 60_000;

export const limits = {
  /** Guesses at one login name, known or not: 20 in any hour. */
  login: { atOnce: 5, every: 4 * minute },
  /** Guesses at a user's second factor by a client that has the password: 20 in any hour. */
  code: { atOnce: 5, every: 4 * minute },
  /** Guesses in one session at the password or second factor of the user who is signed in. */
  proof: { atOnce: 5, every: 4 * minute },
  /** Guesses of all kinds from one address: 80 in an hour. */
  address: { atOnce: 20, every: minute },
  /** Mails requested from one address. */
  asking: { atOnce: 10, every: 6 * minute },
  /** Mails to one user. */
  mail: { atOnce: 3, every: 20 * minute },
  /** Mails to addresses that callers of one account name: at most 2440 in any day. */
  invitation: { atOnce: 1000, every: minute },
  /** Changes of one user's mail address; each sends a notice to the former address. */
  move: { atOnce: 10, every: 20 * minute },
  /** Notices to one user about changes that users can make themselves. */
  news: { atOnce: 10, every: 20 * minute },
  /** The same notices to all users of an account. */
  accountNews: { atOnce: 1000, every: minute },
} satisfies Record<string, Limit>;

const refusals: Partial<Record<keyof typeof limits, string>> = {
  invitation: "this account has sent 1000 mails to addresses that it named: one more is allowed each minute",
  move: "the address of this user was changed 10 times: one more change is allowed every 20 minutes",
  news: "this user was notified of such changes by 10 mails: one more is allowed every 20 minutes",
  accountNews: "this account's users were notified of changes by 1000 mails: one more is allowed each minute",
};

export type Guess = readonly [kind: keyof typeof limits, of: string];
type GuessCtx = Pick<Ctx, "db" | "secrets" | "now">;

/** Takes one guess from each budget. If one budget is empty, throws `limited` and takes none. */
export async function takeGuess(ctx: GuessCtx, ...guesses: readonly Guess[]): Promise<void> {
  const taken: Guess[] = [];
  for (const guess of guesses) {
    const wait = await waitFor(ctx, guess);
    if (wait === 0) {
      taken.push(guess);
      continue;
    }
    await giveBackGuess(ctx, ...taken);
    throw limited(refusals[guess[0]] ?? "too many attempts: wait before the next one", { retry_after: wait });
  }
}

/** Takes a guess from the budget; returns false when the budget is empty. */
export const tryGuess = async (ctx: GuessCtx, guess: Guess): Promise<boolean> => (await waitFor(ctx, guess)) === 0;

/** Returns guesses to their budgets: a right guess is not counted. */
export async function giveBackGuess(ctx: GuessCtx, ...guesses: readonly Guess[]): Promise<void> {
  for (const guess of guesses) await giveBackOne(ctx.db, subjectOf(ctx, guess), limits[guess[0]].every);
}

/** Fills the budget again. */
export const forgetGuesses = (ctx: GuessCtx, guess: Guess) => removeGuesses(ctx.db, subjectOf(ctx, guess));

/** Takes a guess and returns 0, or returns the whole seconds until the next one is allowed. */
async function waitFor(ctx: GuessCtx, guess: Guess): Promise<number> {
  const { atOnce, every } = limits[guess[0]];
  const subject = subjectOf(ctx, guess);
  const now = ctx.now * 1000;
  const span = atOnce * every;
  if (await takeOne(ctx.db, subject, { now, cost: every, span })) return 0;
  const { full_at = now } = (await findGuesses(ctx.db, subject)) ?? {};
  return Math.max(1, Math.ceil((Math.min(full_at, now + span) + every - span - now) / 1000));
}

/** One of a million counters per kind: a short hash, so that made-up names cannot fill the store. */
const subjectOf = ({ secrets }: GuessCtx, [kind, of]: Guess) => `${kind}:${secrets.hash(`${kind}:${of}`).slice(0, 5)}`;
