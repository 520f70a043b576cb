/**
 * How often somebody may guess, or have mails sent, which counts as guesses do: a few times at once, then with a delay
 * after each. Counted in the store, so that it holds over restarts and for all processes together, and before the guess is
 * looked at, so that many at once are no more.
 */
import { limited } from "../../../lib/problem.ts";
import type { Ctx } from "../../write/context.ts";
import { findGuesses, giveBackOne, removeGuesses, takeOne } from "./guess-store.ts";

interface Limit {
  readonly atOnce: number;
  /** Milliseconds after which one more is allowed. */
  readonly every: number;
}

const minute = 60_000;

export const limits = {
  /** At one login name, known or not: 20 in any hour. */
  login: { atOnce: 5, every: 4 * minute },
  /** At the second factor of one user, by who has the password: 20 in any hour. */
  code: { atOnce: 5, every: 4 * minute },
  /** At the password or second factor of who is signed in already, in one session. */
  proof: { atOnce: 5, every: 4 * minute },
  /** From one address, at whatever; 80 in an hour. */
  address: { atOnce: 20, every: minute },
  /** Mails that one address asks for. */
  asking: { atOnce: 10, every: 6 * minute },
  /** Mails to one user. */
  mail: { atOnce: 3, every: 20 * minute },
  /** Mails of one account to addresses that it names: no more than 2440 in any day. */
  invitation: { atOnce: 1000, every: minute },
  /** Changes of one user's address, of which each is told to the one before. */
  move: { atOnce: 10, every: 20 * minute },
  /** Changes that one user makes and is told of. */
  news: { atOnce: 10, every: 20 * minute },
  /** The same of all users of an account. */
  accountNews: { atOnce: 1000, every: minute },
} satisfies Record<string, Limit>;

const refusals: Partial<Record<keyof typeof limits, string>> = {
  invitation: "this account has sent 1000 mails to addresses that it named: one more goes out each minute",
  move: "the address of this user was changed 10 times: it may be once more every 20 minutes",
  news: "10 mails told this user of such changes: one more goes out every 20 minutes",
  accountNews: "this account's users were told of 1000 changes: one more mail goes out each minute",
};

export type Guess = readonly [kind: keyof typeof limits, of: string];
type Place = Pick<Ctx, "db" | "secrets" | "now">;

/** Takes one of each. Throws `limited`, and takes none, when one of them has to wait. */
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

/** Takes one, if there is one. */
export const tryGuess = async (ctx: Place, guess: Guess): Promise<boolean> => (await waitFor(ctx, guess)) === 0;

/** For one that was right. */
export async function giveBackGuess(ctx: Place, ...guesses: readonly Guess[]): Promise<void> {
  for (const guess of guesses) await giveBackOne(ctx.db, subjectOf(ctx, guess), limits[guess[0]].every);
}

/** Whoever was guessed at is no longer kept waiting. */
export const forgetGuesses = (ctx: Place, guess: Guess) => removeGuesses(ctx.db, subjectOf(ctx, guess));

/** Whole seconds; 0 when one was taken. */
async function waitFor(ctx: Place, guess: Guess): Promise<number> {
  const { atOnce, every } = limits[guess[0]];
  const subject = subjectOf(ctx, guess);
  const now = ctx.now * 1000;
  const span = atOnce * every;
  if (await takeOne(ctx.db, subject, { now, cost: every, span })) return 0;
  const { full_at = now } = (await findGuesses(ctx.db, subject)) ?? {};
  return Math.max(1, Math.ceil((Math.min(full_at, now + span) + every - span - now) / 1000));
}

/** One of a million of each kind, so that nobody fills the store with names that they make up. */
const subjectOf = ({ secrets }: Place, [kind, of]: Guess) => `${kind}:${secrets.hash(`${kind}:${of}`).slice(0, 5)}`;
