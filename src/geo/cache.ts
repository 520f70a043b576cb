/** A bounded cache of client facts by at most 128 bits of an address. */
import type { ClientFacts } from "../lib/facts.ts";

/** Entries per hash, newest first; a new entry replaces the oldest. */
const ways = 4;

export class FactCache {
  /** Four words per entry. */
  readonly #keys: Int32Array;
  readonly #facts: (ClientFacts | undefined)[];
  /** The mask that yields the first entry of a hash. */
  readonly #mask: number;

  /** `size` is a power of two. */
  constructor(size: number) {
    this.#keys = new Int32Array(size * 4);
    this.#facts = new Array(size).fill(undefined);
    this.#mask = size - ways;
  }

  find(a: number, b: number, c: number, d: number): ClientFacts | undefined {
    const first = hashOf(a, b, c, d) & this.#mask;
    const keys = this.#keys;
    for (let entry = first; entry < first + ways; entry++) {
      const at = entry * 4;
      if (keys[at] === a && keys[at + 1] === b && keys[at + 2] === c && keys[at + 3] === d) return this.#facts[entry];
    }
    return undefined;
  }

  /** Adds a key that is not in the cache. */
  keep(a: number, b: number, c: number, d: number, facts: ClientFacts): void {
    const first = hashOf(a, b, c, d) & this.#mask;
    const keys = this.#keys;
    keys.copyWithin((first + 1) * 4, first * 4, (first + ways - 1) * 4);
    for (let entry = first + ways - 1; entry > first; entry--) this.#facts[entry] = this.#facts[entry - 1];
    keys[first * 4] = a;
    keys[first * 4 + 1] = b;
    keys[first * 4 + 2] = c;
    keys[first * 4 + 3] = d;
    this.#facts[first] = facts;
  }
}

function hashOf(a: number, b: number, c: number, d: number): number {
  let hash = Math.imul(a ^ (a >>> 15), 0x2c1b3c6d) ^ Math.imul(b ^ (b >>> 13), 0x297a2d39);
  hash ^= Math.imul(c ^ (c >>> 14), 0x5bd1e995) ^ Math.imul(d, 0x1b873593);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
