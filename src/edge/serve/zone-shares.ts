/**
 * The time that a worker spends on the chains of each zone. While others wait, a zone that takes far more than its share is
 * answered last.
 */

/** Milliseconds over which time is counted. */
const period = 100;
/** The share of a worker's time that the chains of one zone may take before others come first. */
const largestShare = 1 / 8;
/** Zones counted at the same time; with more, no zone has a large share. */
const mostZones = 4096;
/** Microseconds: a zone with cheaper queries gets many of them, and is not answered last. */
const cheap = 50;

interface Spending {
  /** Microseconds, also of queries that were put off. */
  spent: number;
  queries: number;
}

export class ZoneShares {
  readonly #spending = new Map<number, Spending>();
  /** The microseconds that a query of a zone took, by the number of the zone. */
  #heavy = new Map<number, number>();
  #since = 0;

  /** Whether any zone takes more than its share. */
  get isCrowded(): boolean {
    return this.#heavy.size > 0;
  }

  /** Called with each batch; `now` are milliseconds. */
  begin(now: number): void {
    const elapsed = now - this.#since;
    if (elapsed >= 0 && elapsed < period) return;
    this.#since = now;
    if (this.#heavy.size > 0) this.#heavy = new Map();
    if (this.#spending.size === 0) return;
    // after a pause, too, one period counts
    const most = Math.min(Math.max(elapsed, period), 2 * period) * 1000 * largestShare;
    for (const [zone, { spent, queries }] of this.#spending) {
      if (spent > most && spent / queries > cheap) this.#heavy.set(zone, spent / queries);
    }
    this.#spending.clear();
  }

  charge(zone: number, microseconds: number): void {
    const spending = this.#spending.get(zone);
    if (spending) {
      spending.spent += microseconds;
      spending.queries++;
    } else if (this.#spending.size < mostZones) this.#spending.set(zone, { spent: microseconds, queries: 1 });
  }

  isHeavy(zone: number): boolean {
    return this.#heavy.has(zone);
  }

  /** Counts a query that comes last as if it had been answered at once: otherwise its zone would seem to need less. */
  putOff(zone: number): void {
    this.charge(zone, this.#heavy.get(zone) ?? 0);
  }
}
