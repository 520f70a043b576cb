/** What is kept in the store for a time only, and for how long. */
import { type Clock, seconds } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Store } from "../storage/db.ts";
import { trimGuesses } from "./people/credentials/guess-store.ts";
import { trimSessions } from "./people/credentials/session-store.ts";
import { lifetimes } from "./people/signin/sessions.ts";
import { removeRegularly } from "./upkeep.ts";
import { trimUsage } from "./usage/store.ts";
import { trimActivity } from "./write/activity/store.ts";
import { trimReplies } from "./write/idempotency-store.ts";
import { purgeDeleted } from "./zones/deleted/purge.ts";
import { trimHistory } from "./zones/history/trim-store.ts";

/** What the operator decided of it. */
export interface Kept {
  /** Days for which versions are kept that nobody saved. */
  readonly keepHistory?: number;
  /** Days for which entries of the activity log are kept. */
  readonly keepActivity?: number;
}

interface TrimmingOptions extends Kept {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

/** Seconds for which a request that is sent again gets the reply that it had. */
const repliesKept = 24 * 60 * 60;

/** Returns what ends it. */
export function keepTrimmed({ store, clock, log, keepHistory = 365, keepActivity = 730 }: TrimmingOptions) {
  const { db } = store;
  const daysAgo = (days: number) => seconds(clock) - days * 86_400;
  const steps = {
    replies: () => trimReplies(db, seconds(clock) - repliesKept),
    statistics: () => trimUsage(db, seconds(clock)),
    "deleted zones": () => purgeDeleted(store, seconds(clock)),
    sessions: () => trimSessions(db, seconds(clock), lifetimes),
    "guesses at sign-in": () => trimGuesses(db, clock.now()),
    versions: () => trimHistory(db, daysAgo(keepHistory)),
    "entries of the activity log": () => trimActivity(db, daysAgo(keepActivity)),
  };
  return removeRegularly(steps, { log });
}
