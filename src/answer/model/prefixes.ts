/** Sets of IPv4 and IPv6 networks, which report how many bits of an address a result depended on. */
import { scanPrefix } from "../../lib/address/ip.ts";

type Family = 4 | 6;

/** Sorted networks, none inside another: the first address and the prefix length of each. */
interface Networks {
  /** Words of an address: one for IPv4, four for IPv6. */
  readonly words: number;
  readonly starts: Uint32Array;
  readonly lengths: Uint8Array;
}

export class PrefixSet {
  /** Leading bits of the address that decided the last `has`. */
  depth = 0;
  readonly #v4: Networks;
  readonly #v6: Networks;
  /** Number of IPv4 addresses in each network and all networks before it. */
  readonly #upTo: Float64Array;

  /** Takes networks in CIDR notation and single addresses; other values are ignored. */
  constructor(prefixes: readonly unknown[]) {
    const read = prefixes.map(readPrefix).filter((prefix) => prefix !== undefined);
    this.#v4 = networksOf(read, 4);
    this.#v6 = networksOf(read, 6);
    let sum = 0;
    this.#upTo = Float64Array.from(this.#v4.lengths, (length) => (sum += 2 ** (32 - length)));
  }

  get size(): number {
    return this.#v4.lengths.length + this.#v6.lengths.length;
  }

  /** Number of IPv4 addresses in the set, at most 2^32. */
  get addresses(): number {
    return this.#upTo.at(-1) ?? 0;
  }

  /** The IPv4 address at position `number` of the set (from 0, ascending), as an integer below 2^32. */
  address(number: number): number {
    const upTo = this.#upTo;
    let low = 0;
    let high = upTo.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (upTo[middle]! > number) high = middle;
      else low = middle + 1;
    }
    if (low === upTo.length) throw new RangeError(`there is no IPv4 address ${number}`);
    return this.#v4.starts[low]! + number - (low === 0 ? 0 : upTo[low - 1]!);
  }

  /** `address` has one word of 32 bits for IPv4, four for IPv6. */
  has(address: Uint32Array, family: Family): boolean {
    const { words, starts, lengths } = family === 4 ? this.#v4 : this.#v6;
    let low = 0;
    let high = lengths.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isAfter(starts, middle * words, address, words)) high = middle;
      else low = middle + 1;
    }
    // only the last network that does not begin after the address can contain it
    const before = low > 0 ? shared(starts, (low - 1) * words, address, words) : -1;
    if (low > 0 && before >= lengths[low - 1]!) {
      this.depth = lengths[low - 1]!;
      return true;
    }
    const after = low < lengths.length ? shared(starts, low * words, address, words) : -1;
    this.depth = 1 + Math.max(before, after);
    return false;
  }
}

interface Prefix {
  readonly family: Family;
  readonly start: Uint32Array;
  readonly length: number;
}

function readPrefix(value: unknown): Prefix | undefined {
  const prefix = typeof value === "string" ? scanPrefix(value.trim()) : undefined;
  if (prefix === undefined) return undefined;
  const { address, bits: length } = prefix;
  const start = new Uint32Array(address.length / 4);
  for (let i = 0; i < address.length; i++) start[i >>> 2] = (start[i >>> 2]! << 8) | address[i]!;
  for (let i = 0; i < start.length; i++) start[i] = start[i]! & maskOf(length - i * 32);
  return { family: start.length === 1 ? 4 : 6, start, length };
}

function networksOf(prefixes: readonly Prefix[], family: Family): Networks {
  const words = family === 4 ? 1 : 4;
  const sorted = prefixes.filter((prefix) => prefix.family === family).sort(compare);
  const kept: Prefix[] = [];
  for (const prefix of sorted) {
    const last = kept.at(-1);
    if (!last || shared(last.start, 0, prefix.start, words) < last.length) kept.push(prefix);
  }
  const starts = new Uint32Array(kept.length * words);
  for (const [i, { start }] of kept.entries()) starts.set(start, i * words);
  return { words, starts, lengths: Uint8Array.from(kept, ({ length }) => length) };
}

/** Sorts by first address, and larger networks before smaller networks with the same first address. */
function compare(a: Prefix, b: Prefix): number {
  for (let i = 0; i < a.start.length; i++) if (a.start[i] !== b.start[i]) return a.start[i]! - b.start[i]!;
  return a.length - b.length;
}

function isAfter(starts: Uint32Array, at: number, address: Uint32Array, words: number): boolean {
  for (let i = 0; i < words; i++) if (starts[at + i] !== address[i]) return starts[at + i]! > address[i]!;
  return false;
}

/** Leading bits that two addresses share. */
function shared(starts: Uint32Array, at: number, address: Uint32Array, words: number): number {
  for (let i = 0; i < words; i++) {
    const other = starts[at + i]! ^ address[i]!;
    if (other !== 0) return i * 32 + Math.clz32(other);
  }
  return words * 32;
}

/** The first `bits` of a word. */
export const maskOf = (bits: number) => (bits <= 0 ? 0 : bits >= 32 ? 0xffffffff : ~(0xffffffff >>> bits));
