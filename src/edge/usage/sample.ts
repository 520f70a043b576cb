/** A sample of queries in a table: one random query of each run of 2^n, where n grows when the table is full. */
import type { Random } from "../../lib/random.ts";
import { halvings, sampled, slotsUsed } from "./table.ts";

export abstract class Sample<Table extends { readonly state: Int32Array }> {
  /** The table that is filled. */
  protected table: Table;
  readonly #random: Random;
  /** Queries in a run. */
  #run = 1;
  /** Queries up to and including the next one to be drawn. */
  #left = 1;
  /** Queries that follow that one in its run. */
  #rest = 0;

  constructor(table: Table, random: Random) {
    this.table = table;
    this.#random = random;
    this.begin(table);
  }

  /** Fills this table from now on. */
  begin(table: Table): void {
    this.table = table;
    this.#run = 2 ** table.state[halvings]!;
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

  /** Empties the counts of the table, and doubles the runs that begin from now on. The caller keeps half of the queries. */
  protected beginHalf(): void {
    const { state } = this.table;
    state[slotsUsed] = 0;
    state[sampled] = 0;
    state[halvings]!++;
    this.#run *= 2;
  }

  /** Half of a number of queries in the sample; an odd query is kept at random. */
  protected half(queries: number): number {
    return (queries >>> 1) + (queries % 2 === 1 && this.isKept() ? 1 : 0);
  }

  /** Whether a query that is in the sample stays there when it is halved. */
  protected isKept(): boolean {
    return this.#random() < 1 / 2;
  }
}
