/** Removes expired data from the store in regular rounds. */
import { type Clock, seconds } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { loop } from "../lib/loop.ts";
import type { Store } from "../storage/db.ts";
import { draftDays } from "./changesets/drafts/schema.ts";
import { trimDrafts } from "./changesets/drafts/store.ts";
import { trimAttempts } from "./people/credentials/attempt-store.ts";
import { trimSessions } from "./people/credentials/session-store.ts";
import { lifetimes } from "./people/signin/sessions.ts";
import { trimUsage } from "./usage/store.ts";
import { trimActivity } from "./write/activity/store.ts";
import { trimReplies } from "./write/idempotency-store.ts";
import { purgeDeleted } from "./zones/deleted/purge.ts";
import { trimHistory } from "./zones/history/trim-store.ts";

/** The periods that the operator can set. */
export interface RetentionPeriods {
  /** Days for which unsaved versions are kept. */
  readonly keepHistory: number;
  /** Days for which entries of the activity log are kept. */
  readonly keepActivity: number;
}

/** Seconds for which a repeated request gets the reply to the first request. */
const repliesKept = 24 * 60 * 60;
/** Milliseconds from the end of a round to the next round. */
const roundEvery = 10 * 60_000;

/** Starts rounds that remove expired data. Returns a function that ends them. */
export function startTrimming(
  store: Store,
  clock: Clock,
  { log, keepHistory, keepActivity }: RetentionPeriods & { readonly log: Log },
): () => void {
  const { db } = store;
  const daysAgo = (days: number) => seconds(clock) - days * 86_400;
  const steps = {
    replies: () => trimReplies(db, seconds(clock) - repliesKept),
    statistics: () => trimUsage(db, seconds(clock)),
    "deleted zones": () => purgeDeleted(store, seconds(clock)),
    sessions: () => trimSessions(db, seconds(clock), lifetimes),
    "guesses at sign-in": () => trimAttempts(db, clock.now()),
    drafts: () => trimDrafts(db, daysAgo(draftDays)),
    versions: () => trimHistory(db, daysAgo(keepHistory)),
    "entries of the activity log": () => trimActivity(db, daysAgo(keepActivity)),
  };
  return removeRegularly(steps, log);
}

/**
 * Runs the steps one after another, in rounds; a failed step is tried again in the next round. The keys name the removed
 * data in the log. Returns a function that ends the rounds, and does not wait for a step that is running.
 */
export function removeRegularly(
  steps: Readonly<Record<string, () => Promise<unknown>>>,
  log: Log,
  every = roundEvery,
): () => void {
  const turn = async (signal: AbortSignal) => {
    for (const [what, step] of Object.entries(steps)) {
      if (signal.aborted) return;
      await step().catch((error: unknown) => {
        // the store may be closed while a step runs
        if (!signal.aborted) log.warn({ what, reason: String(error) }, "expired data could not be removed");
      });
    }
  };
  const removing = loop({ turn, every, first: every, complain() {} });
  return () => void removing.close();
}
