/**
 * Limits for guesses at passwords and codes, and for mails: a burst, then one at a time with a delay after each. The
 * counters are in the store, so that they apply across restarts and to all processes together. A guess is counted
 * before it is checked, so that concurrent guesses cannot exceed the limit.
 */
import { limited } from "../../../lib/problem.ts";
import type { Ctx } from "../../write/context.ts";
import { findGuesses, giveBackOne, removeGuesses, takeOne } from "./guess-store.ts";

interface Limit {
  readonly atOnce: number;
  /** Milliseconds until one more is allowed. */
  readonly every: number;
}

const minute = 60_000;

export const budgets = {
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
  /** Mails of one account to addresses that it names: at most 2440 in any day. */
  invitation: { atOnce: 1000, every: minute },
  /** Changes of one user's mail address; each sends a notice to the former address. */
  move: { atOnce: 10, every: 20 * minute },
  /** Notices to one user about changes that users can make themselves. */
  news: { atOnce: 10, every: 20 * minute },
  /** The same notices to all users of an account. */
  accountNews: { atOnce: 1000, every: minute },
} satisfies Record<string, Limit>;

const refusals: Partial<Record<keyof typeof budgets, string>> = {
  invitation: "this account has sent 1000 mails to addresses that it named: one more goes out each minute",
  move: "the address of this user was changed 10 times: it may be once more every 20 minutes",
  news: "10 mails told this user of such changes: one more goes out every 20 minutes",
  accountNews: "this account's users were told of 1000 changes: one more mail goes out each minute",
};

export type Guess = readonly [kind: keyof typeof budgets, of: string];
type Place = Pick<Ctx, "db" | "secrets" | "now">;

/** Takes one guess from each budget. If one budget is empty, throws `limited` and takes none. */
export async function takeGuess(ctx: Place, ...guesses: readonly Guess[]): Promise<void> {
  const taken: Guess[] = [];
  for (const guess of guesses) {
    const wait = await waitFor(ctx, guess);
    if (wait === 0) {
      taken.push(guess);
      continue;
    }
    await giveBackGuess(ctx, ...taken);
    throw limited(refusals[guess[0]] ?? "too many tries: wait before the next one", { retry_after: wait });
  }
}

/** Takes a guess from the budget; returns false when the budget is empty. */
export const tryGuess = async (ctx: Place, guess: Guess): Promise<boolean> => (await waitFor(ctx, guess)) === 0;

/** Returns guesses to their budgets, for example after a right guess. */
export async function giveBackGuess(ctx: Place, ...guesses: readonly Guess[]): Promise<void> {
  for (const guess of guesses) await giveBackOne(ctx.db, subjectOf(ctx, guess), budgets[guess[0]].every);
}

/** Fills the budget again, so that nothing has to wait for it. */
export const forgetGuesses = (ctx: Place, guess: Guess) => removeGuesses(ctx.db, subjectOf(ctx, guess));

/** Takes a guess and returns 0, or returns the whole seconds until the next one is allowed. */
async function waitFor(ctx: Place, guess: Guess): Promise<number> {
  const { atOnce, every } = budgets[guess[0]];
  const subject = subjectOf(ctx, guess);
  const now = ctx.now * 1000;
  const span = atOnce * every;
  if (await takeOne(ctx.db, subject, { now, cost: every, span })) return 0;
  const { full_at = now } = (await findGuesses(ctx.db, subject)) ?? {};
  return Math.max(1, Math.ceil((Math.min(full_at, now + span) + every - span - now) / 1000));
}

/** One of a million subjects per kind: a short hash, so that made-up names cannot fill the store. */
const subjectOf = ({ secrets }: Place, [kind, of]: Guess) => `${kind}:${secrets.hash(`${kind}:${of}`).slice(0, 5)}`;
