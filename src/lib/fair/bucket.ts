/** Counts by key over the last minutes, in memory. */
import type { Clock } from "../clock.ts";

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
