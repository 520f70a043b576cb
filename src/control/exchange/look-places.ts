/** Places for zones that are looked at: an account has half of them at most, and its part while others wait. */

export class LookPlaces {
  readonly all: number;
  readonly own: number;
  /** The account of each zone. */
  readonly #under = new Map<string, string>();

  constructor(all: number) {
    this.all = all;
    this.own = Math.ceil(all / 2);
  }

  get isFull(): boolean {
    return this.#under.size >= this.all;
  }

  /** What an account has before others that have more: as much as each would if one more came. */
  get part(): number {
    const accounts = new Set(this.#under.values()).size;
    return Math.min(this.own, Math.max(1, Math.floor(this.all / (accounts + 1))));
  }

  has(zone_id: string): boolean {
    return this.#under.has(zone_id);
  }

  /** Accounts that have so many. */
  having(count: number): string[] {
    return [...new Set(this.#under.values())].filter((account_id) => this.#of(account_id) >= count);
  }

  /** Whether there is a place, of so many for the account. */
  enter({ id, account_id }: { readonly id: string; readonly account_id: string }, most: number): boolean {
    if (this.isFull || this.has(id) || this.#of(account_id) >= most) return false;
    this.#under.set(id, account_id);
    return true;
  }

  leave(zone_id: string): void {
    this.#under.delete(zone_id);
  }

  #of(account_id: string): number {
    return [...this.#under.values()].filter((holder) => holder === account_id).length;
  }
}
