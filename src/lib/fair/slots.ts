/** So many may have something at once: of all accounts, and of one; with room beyond for accounts that have less than their part. */
import { unavailable } from "../problem.ts";

export interface PlaceLimits {
  readonly all: number;
  readonly own: number;
  /** With those beyond all, which an account gets while it has less than its part; none when left out. */
  readonly most?: number;
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
    if (this.#of(account_id) >= this.#limits.own) throw unavailable(this.#full);
    if (!this.#isLeft(account_id)) makeWay();
    if (!this.#isLeft(account_id)) throw unavailable(this.#full);
    this.#taken.push(account_id);
    return () => void this.#taken.splice(this.#taken.indexOf(account_id), 1);
  }

  #isLeft(account_id: string): boolean {
    const { all, most = all } = this.#limits;
    const accounts = new Set([...this.#taken, account_id]).size;
    const part = Math.max(1, Math.floor(all / accounts));
    return this.#taken.length < (this.#of(account_id) < part ? most : all);
  }

  #of(account_id: string): number {
    return this.#taken.filter((holder) => holder === account_id).length;
  }
}
