/**
 * Limits on attempts, that is guesses at passwords and codes, and mails. Some are allowed at once, then one more after
 * each interval. The counters are in the store, so that they apply across restarts and to all processes together. A
 * guess is counted before it is checked, so that concurrent guesses cannot exceed the limit.
 */
import { type ClientNames, networkBuckets } from "../../../http/message/address.ts";
import { limited } from "../../../lib/problem.ts";
import type { Ctx } from "../../write/context.ts";
import { countOne, findAttempts, removeAttempts, uncountOne } from "./attempt-store.ts";

interface Limit {
  readonly atOnce: number;
  /** The interval in milliseconds after which one more attempt is allowed. */
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
  /** Guesses of all kinds from one address: 80 in an hour. An IPv6 /48 has ten times as many, and so for `asking`. */
  address: { atOnce: 20, every: minute },
  /** Mails requested from one address. */
  asking: { atOnce: 10, every: 6 * minute },
  /** Mails to one user. */
  mail: { atOnce: 3, every: 20 * minute },
  /** Mails to addresses that callers of one account enter: at most 2440 in any day. */
  invitation: { atOnce: 1000, every: minute },
  /** Changes of one user's mail address; each sends a notice to the former address. */
  move: { atOnce: 10, every: 20 * minute },
  /** Notices to one user about changes that users can make themselves. */
  news: { atOnce: 10, every: 20 * minute },
  /** The same notices to all users of an account. */
  accountNews: { atOnce: 1000, every: minute },
} satisfies Record<string, Limit>;

const refusals: Partial<Record<keyof typeof budgets, string>> = {
  invitation: "this account has sent 1000 mails to addresses of its choice: one more mail is allowed each minute",
  move: "the address of this user was changed 10 times: one more change is allowed every 20 minutes",
  news: "this user was notified of such changes by 10 mails: one more mail is allowed every 20 minutes",
  accountNews: "this account's users were notified of changes by 1000 mails: one more mail is allowed each minute",
};

/** `of` identifies the budget of a kind: a login name, an id or an address. With `times`, the budget is that many times as large. */
export type Attempt = readonly [kind: keyof typeof budgets, of: string, times?: number];

/** The attempts that count for a client: its own, and one of its network. */
export const attemptsFrom = (kind: "address" | "asking", { bucket, network }: ClientNames): readonly Attempt[] =>
  network === bucket
    ? [[kind, bucket]]
    : [
        [kind, bucket],
        [kind, network, networkBuckets],
      ];

type AttemptCtx = Pick<Ctx, "db" | "secrets" | "now">;

/** Counts an attempt in each budget. If one budget is empty, throws `limited` and counts none. */
export async function countAttempt(ctx: AttemptCtx, ...attempts: readonly Attempt[]): Promise<void> {
  const counted: Attempt[] = [];
  for (const attempt of attempts) {
    const wait = await waitFor(ctx, attempt);
    if (wait === 0) {
      counted.push(attempt);
      continue;
    }
    await uncountAttempt(ctx, ...counted);
    throw limited(refusals[attempt[0]] ?? "too many attempts: wait before the next one", { retry_after: wait });
  }
}

/** Counts an attempt; returns false when the budget is empty. */
export const tryAttempt = async (ctx: AttemptCtx, attempt: Attempt): Promise<boolean> =>
  (await waitFor(ctx, attempt)) === 0;

/** Returns attempts to their budgets: a right guess is not counted. */
export async function uncountAttempt(ctx: AttemptCtx, ...attempts: readonly Attempt[]): Promise<void> {
  for (const attempt of attempts) await uncountOne(ctx.db, subjectOf(ctx, attempt), limitOf(attempt).every);
}

/** Fills the budget again. */
export const forgetAttempts = (ctx: AttemptCtx, attempt: Attempt) => removeAttempts(ctx.db, subjectOf(ctx, attempt));

/** Counts an attempt and returns 0, or returns the whole seconds until the next one is allowed. */
async function waitFor(ctx: AttemptCtx, attempt: Attempt): Promise<number> {
  const { atOnce, every } = limitOf(attempt);
  const subject = subjectOf(ctx, attempt);
  const now = ctx.now * 1000;
  const span = atOnce * every;
  if (await countOne(ctx.db, subject, { now, cost: every, span })) return 0;
  const { full_at = now } = (await findAttempts(ctx.db, subject)) ?? {};
  return Math.max(1, Math.ceil((Math.min(full_at, now + span) + every - span - now) / 1000));
}

function limitOf([kind, , times = 1]: Attempt): Limit {
  const { atOnce, every } = budgets[kind];
  return { atOnce: atOnce * times, every: every / times };
}

/** One of a million counters per kind: a short hash, so that made-up names cannot fill the store. */
const subjectOf = ({ secrets }: AttemptCtx, [kind, of]: Attempt) =>
  `${kind}:${secrets.hash(`${kind}:${of}`).slice(0, 5)}`;
