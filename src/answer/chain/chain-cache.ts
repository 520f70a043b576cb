/** Recently used steered RRsets by their number in the image; RRsets that were not used for long are dropped. */

/** Maximum recipe octets of the young generation; the old generation may hold as many again. */
const defaultOctets = 16 * 1024 * 1024;

export class ChainCache<Kept extends { readonly octets: number }> {
  readonly #most: number;
  #young = new Map<number, Kept>();
  #old = new Map<number, Kept>();
  #octets = 0;

  constructor(most = defaultOctets) {
    this.#most = most;
  }

  find(number: number): Kept | undefined {
    const rrset = this.#young.get(number);
    if (rrset !== undefined) return rrset;
    const old = this.#old.get(number);
    if (old !== undefined) this.keep(number, old);
    return old;
  }

  keep(number: number, rrset: Kept): void {
    if (this.#octets > this.#most) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#octets = 0;
    }
    this.#octets += rrset.octets;
    this.#young.set(number, rrset);
  }
}
