/**
 * Limits what accounts keep of the past: history, entries of the activity log, deleted zones, and replies to requests with an
 * Idempotency-Key. No write is refused for it; the oldest is removed soon after. Only accounts that write are measured, and
 * after the first time only what is new.
 */
import { Counter, type Registry } from "prom-client";
import { type Clock, seconds } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { loop } from "../lib/loop.ts";
import type { Store } from "../storage/db.ts";
import { countNewest, type Kept, keptTables, octetsSince } from "./kept-store.ts";
import { limits } from "./kit/limits.ts";
import { removeEntries } from "./write/activity/store.ts";
import { removeReplies } from "./write/idempotency-store.ts";
import { usualQuota } from "./write/quota/quota.ts";
import { findQuota } from "./write/quota/store.ts";
import { purgeOldest } from "./zones/deleted/purge.ts";
import { removeHistory } from "./zones/history/trim-store.ts";

/** Milliseconds from the end of a round to the next one. */
const roundEvery = 10_000;
/** Seconds within which a write is committed: rows of this age are measured again, as rows of this time may still come. */
const lateWithin = 60;
/** The share of a limit that stays when it was exceeded, so that the oldest is not removed row by row. */
const staying = 7 / 8;
/** Seconds after which an account that has not written here is counted again, in slices: it may have written elsewhere. */
const knownFor = 600;
const mostKnown = 10_000;

/** Each removes what an account keeps up to a time, and returns how much. */
const removals: Readonly<Record<Kept, (store: Store, account_id: string, until: number) => Promise<number>>> = {
  versions: ({ db }, account_id, until) => removeHistory(db, account_id, until),
  activity: ({ db }, account_id, until) => removeEntries(db, account_id, until),
  zones: purgeOldest,
  replies: ({ db }, account_id, until) => removeReplies(db, account_id, until),
};
const kinds = Object.keys(keptTables) as readonly Kept[];

/** The octets of all rows before a time. */
interface Known {
  readonly before: number;
  readonly octets: number;
}

export interface KeptOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Accounts that have written; those that are measured are removed from it. */
  readonly writers: Set<string>;
  readonly registry: Registry;
  /** Milliseconds between rounds. */
  readonly every?: number;
}

export class KeptLimits {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #writers: Set<string>;
  readonly #known = new Map<string, Known>();
  readonly #removed: Counter<"what">;
  readonly #loop: ReturnType<typeof loop>;

  constructor({ store, clock, log, writers, registry, every = roundEvery }: KeptOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#writers = writers;
    this.#removed = new Counter({
      name: "fairlead_kept_removed_total",
      help: "Versions, activity entries, deleted zones and replies that were removed because their account had too many octets of them",
      labelNames: ["what"],
      registers: [registry],
    });
    this.#loop = loop({
      turn: (signal) => this.round(signal),
      every,
      first: every,
      complain: (error) =>
        log.warn({ reason: String(error) }, "what accounts keep could not be measured; trying again"),
    });
  }

  /** Measures the accounts that have written, and resolves when they are within their limits. A failed one is left for the next round. */
  async round(signal?: AbortSignal): Promise<void> {
    const failures: unknown[] = [];
    for (const account_id of [...this.#writers]) {
      if (signal?.aborted) return;
      this.#writers.delete(account_id);
      await this.#measure(account_id).catch((error: unknown) => {
        this.#writers.add(account_id);
        failures.push(error);
      });
    }
    if (failures.length > 0) throw failures[0];
  }

  close(): Promise<void> {
    return this.#loop.close();
  }

  async #measure(account_id: string): Promise<void> {
    const { kept } = { ...usualQuota, ...(await findQuota(this.#store.db, account_id)) };
    const replies = limits.keptReplyMegabytes * 1024 * 1024;
    for (const kind of kinds) await this.#trim(kind, account_id, kind === "replies" ? replies : kept);
  }

  async #trim(kind: Kept, account_id: string, most: number | null): Promise<void> {
    if (most === null) return;
    const { db } = this.#store;
    const key = `${kind} ${account_id}`;
    const settled = seconds(this.#clock) - lateWithin;
    let known = this.#known.get(key);
    if (!known || known.before < settled - knownFor) {
      const { octets } = await countNewest(db, kind, account_id, { before: settled, most });
      known = { before: settled, octets };
    }
    const { before } = known;
    const since = await octetsSince(db, kind, account_id, before, Math.max(before, settled));
    const octets = known.octets + since.settled;
    this.#known.delete(key);
    if (octets + since.recent <= most) {
      this.#known.set(key, { before: Math.max(before, settled), octets });
      if (this.#known.size > mostKnown) this.#known.delete(this.#known.keys().next().value!);
      return;
    }
    const { cut } = await countNewest(db, kind, account_id, {
      before: Number.MAX_SAFE_INTEGER,
      most: most * staying,
    });
    if (cut === undefined) return;
    this.#removed.inc({ what: kind }, await removals[kind](this.#store, account_id, cut));
  }
}
