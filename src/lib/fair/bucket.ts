/** Rates and counts by key, in memory: buckets that are refilled evenly, and counts over a window. */
import type { Clock } from "../clock.ts";

/** At most `limit` requests in `period` seconds; both whole and above 0. */
export interface Rate {
  readonly limit: number;
  readonly period: number;
}

export interface Allowance extends Rate {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Whole seconds until one more request is allowed; 0 when it is now. */
  readonly retryAfter: number;
}

/** Beyond this number, which only an attack by address reaches, the oldest quarter is forgotten and so forgiven. */
const mostBuckets = 100_000;

/** Rate limits by key: one number a bucket. */
export class Buckets {
  readonly #clock: Clock;
  /** Times are relative to this one, because a number since 1970 has no room for small fractions. */
  readonly #epoch: number;
  /** The time at which a bucket will be full again, in milliseconds. A full bucket need not be there. */
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
    // no bucket takes longer than a period to fill: the clock was set back
    const spent = wait > span + 1 ? 0 : Math.min(span, Math.max(0, wait));
    // sums of fractions fall short by a little
    const allowed = spent + cost <= span + 1e-6;
    const left = span - (allowed ? spent + cost : spent);
    if (allowed) this.#keep(bucket, now, now + spent + cost);
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

  #keep(bucket: string, now: number, fullAt: number): void {
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
  /** When the first of them was noted, in milliseconds. */
  readonly since: number;
  readonly count: number;
}

export interface RecentLimits {
  /** Milliseconds after its first entry when a key's count starts again from 0. */
  readonly window: number;
  /** At most so many keys; the key that was noted longest ago is forgotten first. */
  readonly keys: number;
}

/** Counts events by key over a window. */
export class Recent {
  readonly #limits: RecentLimits;
  readonly #clock: Clock;
  readonly #counts = new Map<string, Counted>();

  constructor(limits: RecentLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** The count of the key's present window; 0 when it is over. */
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
