/** Recent events that one process remembers about its callers: lost with the process, and never essential to data. */
import type { Clock } from "../../lib/clock.ts";
import { RecentCounts } from "../../lib/fair/bucket.ts";
import { ChangedThings } from "../../lib/fair/changed.ts";
import type { Log } from "../../lib/log.ts";
import type { Store } from "../../storage/db.ts";
import { ClaimAttempts } from "./claim-attempts.ts";
import { Quotas } from "./quota/quota.ts";

/** Seconds for which deletions are remembered. */
export const deletionWindow = 600;

export interface Memory {
  /** Guarded deletions of the last ten minutes minus later creations: by zone for records, by account for zones. */
  readonly deletions: RecentCounts;
  /** Attempts to create zones under names that belong to other accounts. */
  readonly claimAttempts: ClaimAttempts;
  readonly quotas: Quotas;
  /** Accounts that have written since what they keep was measured last. */
  readonly writers: Set<string>;
  /** Accounts and zones that were written since it was looked for what needs attention there. */
  readonly changed: ChangedThings;
}

export const newMemory = (store: Store, clock: Clock, log: Log): Memory => ({
  deletions: new RecentCounts({ window: deletionWindow * 1000, keys: 10_000 }, clock),
  claimAttempts: new ClaimAttempts(clock, log),
  quotas: new Quotas(store, clock),
  writers: new Set(),
  changed: new ChangedThings(),
});
