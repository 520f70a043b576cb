/** Draws a sample: one random query of each run of 2^n. */
import type { Random } from "../../lib/random.ts";

export class Draw {
  readonly #random: Random;
  /** Queries in a run. */
  #run = 1;
  /** Queries up to and including the next one to be drawn. */
  #left = 1;
  /** Queries that follow that one in its run. */
  #rest = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  begin(run: number): void {
    this.#run = run;
    this.#left = 1;
    this.#rest = 0;
  }

  /** Must be called for each query. Returns whether it is in the sample. */
  isDue(): boolean {
    if (--this.#left > 0) return false;
    const run = this.#run;
    const next = run === 1 ? 0 : Math.floor(this.#random() * run);
    this.#left = this.#rest + next + 1;
    this.#rest = run - 1 - next;
    return true;
  }

  /** Doubles the runs that begin from now on. */
  double(): void {
    this.#run *= 2;
  }

  /** Half of a number of queries in the sample; an odd query is kept at random. */
  half(queries: number): number {
    return (queries >>> 1) + (queries % 2 === 1 && this.isKept() ? 1 : 0);
  }

  /** Whether a query that is in the sample stays there when it is halved. */
  isKept(): boolean {
    return this.#random() < 1 / 2;
  }
}
