/** A bounded cache of client facts by up to 128 bits of address: a table where a newer entry takes an older one's place. */
import type { ClientFacts } from "./facts.ts";

export class FactCache {
  readonly #keys: Int32Array;
  readonly #facts: (ClientFacts | undefined)[];
  readonly #mask: number;

  /** `size` is a power of two. */
  constructor(size: number) {
    this.#keys = new Int32Array(size * 4);
    this.#facts = new Array(size).fill(undefined);
    this.#mask = size - 1;
  }

  find(a: number, b: number, c: number, d: number): ClientFacts | undefined {
    const slot = slotOf(a, b, c, d) & this.#mask;
    const at = slot * 4;
    const keys = this.#keys;
    const same = keys[at] === a && keys[at + 1] === b && keys[at + 2] === c && keys[at + 3] === d;
    return same ? this.#facts[slot] : undefined;
  }

  keep(a: number, b: number, c: number, d: number, facts: ClientFacts): void {
    const slot = slotOf(a, b, c, d) & this.#mask;
    this.#keys[slot * 4] = a;
    this.#keys[slot * 4 + 1] = b;
    this.#keys[slot * 4 + 2] = c;
    this.#keys[slot * 4 + 3] = d;
    this.#facts[slot] = facts;
  }
}

function slotOf(a: number, b: number, c: number, d: number): number {
  let hash = Math.imul(a ^ (a >>> 15), 0x2c1b3c6d) ^ Math.imul(b ^ (b >>> 13), 0x297a2d39);
  hash ^= Math.imul(c ^ (c >>> 14), 0x5bd1e995) ^ Math.imul(d, 0x1b873593);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
