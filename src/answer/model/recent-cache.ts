/** A cache by number, bounded by octets, which drops the values that were not used for a long time. */

export class RecentCache<Kept extends { readonly octets: number }> {
  readonly #most: number;
  #young = new Map<number, Kept>();
  #old = new Map<number, Kept>();
  #octets = 0;

  /** `most`: maximum octets of the young generation; the old generation may hold as many again. */
  constructor(most: number) {
    this.#most = most;
  }

  find(number: number): Kept | undefined {
    const young = this.#young.get(number);
    if (young !== undefined) return young;
    const old = this.#old.get(number);
    if (old !== undefined) this.keep(number, old);
    return old;
  }

  keep(number: number, kept: Kept): void {
    if (this.#octets > this.#most) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#octets = 0;
    }
    this.#octets += kept.octets;
    this.#young.set(number, kept);
  }
}
