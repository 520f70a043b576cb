/** Rate limits in memory: one number a bucket, refilled evenly. */
import type { Clock } from "../lib/clock.ts";
import type { Rate } from "./route/service.ts";

export interface Allowance extends Rate {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Whole seconds until one more request would be allowed; 0 when it is now. */
  readonly retryAfter: number;
}

/** Buckets are many only under attack by address; the oldest quarter is then forgotten, which forgives it. */
const mostBuckets = 100_000;

export class Limiter {
  readonly #clock: Clock;
  /** Times count from here, because a number since 1970 has no room for small fractions. */
  readonly #epoch: number;
  /** When a bucket will be full again, in milliseconds; a bucket that is full need not be there. */
  readonly #fullAt = new Map<string, number>();
  #sweepAt = 1024;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#epoch = clock.now();
  }

  /** Takes one request out of the bucket, if there is one. */
  take(bucket: string, rate: Rate): Allowance {
    const now = this.#clock.now() - this.#epoch;
    const span = rate.period * 1000;
    const cost = span / rate.limit;
    const wait = (this.#fullAt.get(bucket) ?? 0) - now;
    // no bucket takes longer than a period to fill: the clock was set back
    const spent = wait > span + 1 ? 0 : Math.min(span, Math.max(0, wait));
    // Sums of fractions fall short by a little.
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

/** `x-ratelimit-*` for one answer. */
export function rateHeaders(allowance: Allowance, by: "customer" | "ip"): Record<string, string> {
  const headers: Record<string, string> = {
    "x-ratelimit-limit": String(allowance.limit),
    "x-ratelimit-remaining": String(allowance.remaining),
    "x-ratelimit-period": String(allowance.period),
    "x-ratelimit-by": by,
  };
  if (!allowance.allowed) headers["retry-after"] = String(allowance.retryAfter);
  return headers;
}
