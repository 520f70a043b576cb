/** Rate limits and counts of events by key, in memory: buckets with a steady refill, and counts over a window. */
import type { Clock } from "../clock.ts";

/** At most `limit` requests in `period` seconds; both whole and above 0. */
export interface Rate {
  readonly limit: number;
  readonly period: number;
}

export interface Allowance extends Rate {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Whole seconds until another request is allowed; 0 if this one was allowed. */
  readonly retryAfter: number;
}

/** The number of buckets above which the oldest quarter is dropped; only attacks from many addresses reach it. */
const mostBuckets = 100_000;

/** Rate limits by key, with one number per bucket. */
export class Buckets {
  readonly #clock: Clock;
  /** Times are relative to this time, because a number since 1970 has no precision left for small fractions. */
  readonly #epoch: number;
  /** The times at which the buckets will be full again, in milliseconds. Full buckets may be absent. */
  readonly #fullAt = new Map<string, number>();
  #sweepAt = 1024;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#epoch = clock.now();
  }

  /** Takes one request from the bucket, if it holds one. */
  take(bucket: string, rate: Rate): Allowance {
    const now = this.#clock.now() - this.#epoch;
    const span = rate.period * 1000;
    const cost = span / rate.limit;
    const wait = (this.#fullAt.get(bucket) ?? 0) - now;
    // a bucket fills within a period: a longer wait means that the clock was set back
    const spent = wait > span + 1 ? 0 : Math.min(span, Math.max(0, wait));
    // tolerance for rounding errors
    const allowed = spent + cost <= span + 1e-6;
    const left = span - (allowed ? spent + cost : spent);
    if (allowed) this.#store(bucket, now, now + spent + cost);
    return {
      ...rate,
      allowed,
      remaining: Math.max(0, Math.floor((left + 1e-6) / cost)),
      retryAfter: allowed ? 0 : Math.max(1, Math.ceil((cost - left) / 1000)),
    };
  }

  get size(): number {
    return this.#fullAt.size;
  }

  #store(bucket: string, now: number, fullAt: number): void {
    this.#fullAt.set(bucket, fullAt);
    if (this.#fullAt.size <= this.#sweepAt) return;
    for (const [key, at] of this.#fullAt) if (at <= now) this.#fullAt.delete(key);
    for (const key of this.#fullAt.keys()) {
      if (this.#fullAt.size <= 0.75 * mostBuckets) break;
      this.#fullAt.delete(key);
    }
    this.#sweepAt = Math.max(1024, Math.min(mostBuckets, 2 * this.#fullAt.size));
  }
}

interface Counted {
  /** The time of the first event, in milliseconds. */
  readonly since: number;
  readonly count: number;
}

export interface RecentLimits {
  /** Milliseconds from a key's first event until its count starts again from 0. */
  readonly window: number;
  /** The maximum number of keys; the key with the oldest last event is dropped first. */
  readonly keys: number;
}

/** Counts events by key over a window. */
export class RecentCounts {
  readonly #limits: RecentLimits;
  readonly #clock: Clock;
  readonly #counts = new Map<string, Counted>();

  constructor(limits: RecentLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** The count of the key's current window; 0 after its end. */
  count(key: string): number {
    const known = this.#counts.get(key);
    return known && this.#clock.now() - known.since < this.#limits.window ? known.count : 0;
  }

  /** Adds `n`, which may be negative; a count never falls below 0. */
  note(key: string, n = 1): void {
    const before = this.count(key);
    const since = before > 0 ? this.#counts.get(key)!.since : this.#clock.now();
    // removed first, so that the map is in the order of the latest entries
    this.#counts.delete(key);
    const count = before + n;
    if (count <= 0) return;
    this.#counts.set(key, { since, count });
    if (this.#counts.size > this.#limits.keys) this.#counts.delete(this.#counts.keys().next().value!);
  }
}
