/** So many may have something at once: of all accounts, and of one. */
import { unavailable } from "../lib/problem.ts";

export interface PlaceLimits {
  readonly all: number;
  readonly own: number;
}

export class Places {
  readonly #limits: PlaceLimits;
  readonly #full: string;
  /** Who holds them. */
  readonly #taken: string[] = [];

  /** `full` is said to who gets none. */
  constructor(limits: PlaceLimits, full: string) {
    this.#limits = limits;
    this.#full = full;
  }

  /**
   * A place, to be given back once. Throws `unavailable` when there is none; where others have them all, `makeWay` may
   * have one given back before.
   */
  enter(account_id: string, makeWay: () => void = () => {}): () => void {
    const { all, own } = this.#limits;
    if (this.#taken.filter((holder) => holder === account_id).length >= own) throw unavailable(this.#full);
    if (this.#taken.length >= all) makeWay();
    if (this.#taken.length >= all) throw unavailable(this.#full);
    this.#taken.push(account_id);
    return () => void this.#taken.splice(this.#taken.indexOf(account_id), 1);
  }
}
