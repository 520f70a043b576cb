/** Sets of IPv4 and IPv6 networks, which report how many bits of an address a result depended on. */
import { scanPrefix } from "../../lib/address/ip.ts";
import { type ListKind, ListMemory, listOf, StoredList } from "./list.ts";

type Family = 4 | 6;

// A list: the numbers of IPv4 and IPv6 networks; the first address of each IPv4 network, and its length; where each IPv6 network ends; each IPv6 network: its length, and the octets of its
// first address without zeros at the end. Networks are in ascending order, and none is inside another.
const headOctets = 8;
const octets4 = 5;

export class PrefixSet {
  /** Leading bits of the address that decided the last `has`. */
  depth = 0;
  readonly size: number;
  readonly #list: StoredList;
  readonly #count4: number;
  readonly #count6: number;
  /** Number of IPv4 addresses in each network and all networks before it; undefined until it is needed. */
  #upTo: Float64Array | undefined;

  constructor(list: StoredList) {
    this.#list = list;
    this.#count4 = list.read32(0);
    this.#count6 = list.read32(4);
    this.size = this.#count4 + this.#count6;
  }

  /** Whether the set has IPv4 addresses. */
  get hasAddresses(): boolean {
    return this.#count4 > 0;
  }

  /** Number of IPv4 addresses in the set, at most 2^32. */
  get addresses(): number {
    return this.#sums().at(-1) ?? 0;
  }

  /** Takes networks in CIDR notation and single addresses; other values are ignored. */
  static of(values: readonly unknown[]): PrefixSet {
    return new PrefixSet(new StoredList(new ListMemory(composePrefixes(values)), 0));
  }

  /** The IPv4 address at position `number` of the set (from 0, ascending), as an integer below 2^32. */
  address(number: number): number {
    const upTo = this.#sums();
    let low = 0;
    let high = upTo.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (upTo[middle]! > number) high = middle;
      else low = middle + 1;
    }
    if (low === upTo.length) throw new RangeError(`there is no IPv4 address ${number}`);
    return this.#start(low) + number - (low === 0 ? 0 : upTo[low - 1]!);
  }

  #sums(): Float64Array {
    let sum = 0;
    this.#upTo ??= Float64Array.from({ length: this.#count4 }, (_, i) => (sum += 2 ** (32 - this.#length4(i))));
    return this.#upTo;
  }

  /** `address` has one word of 32 bits for IPv4, four for IPv6. */
  has(address: Uint32Array, family: Family): boolean {
    return family === 4 ? this.#has4(address[0]!) : this.#has6(address);
  }

  #has4(address: number): boolean {
    let low = 0;
    let high = this.#count4;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#start(middle) > address) high = middle;
      else low = middle + 1;
    }
    // only the last network that does not begin after the address can contain it
    const before = low > 0 ? Math.clz32(this.#start(low - 1) ^ address) : -1;
    if (low > 0 && before >= this.#length4(low - 1)) return this.#decide(this.#length4(low - 1), true);
    const after = low < this.#count4 ? Math.clz32(this.#start(low) ^ address) : -1;
    return this.#decide(1 + Math.max(before, after), false);
  }

  #has6(address: Uint32Array): boolean {
    let low = 0;
    let high = this.#count6;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#isAfter(middle, address)) high = middle;
      else low = middle + 1;
    }
    const before = low > 0 ? this.#shared(low - 1, address) : -1;
    if (low > 0 && before >= this.#length6(low - 1)) return this.#decide(this.#length6(low - 1), true);
    const after = low < this.#count6 ? this.#shared(low, address) : -1;
    return this.#decide(1 + Math.max(before, after), false);
  }

  #decide(depth: number, isIn: boolean): boolean {
    this.depth = depth;
    return isIn;
  }

  #start(network: number): number {
    return this.#list.read32(headOctets + network * 4);
  }

  #length4(network: number): number {
    return this.#list.memory.octets[this.#list.at(headOctets + this.#count4 * 4 + network)]!;
  }

  /** Where the octets of an IPv6 network begin: first its length. */
  #network6(network: number): number {
    const ends = headOctets + this.#count4 * octets4;
    return ends + this.#count6 * 4 + (network === 0 ? 0 : this.#list.read32(ends + (network - 1) * 4));
  }

  #length6(network: number): number {
    return this.#list.memory.octets[this.#list.at(this.#network6(network))]!;
  }

  /** Whether the network begins after the address. */
  #isAfter(network: number, address: Uint32Array): boolean {
    const { octets } = this.#list.memory;
    const from = this.#list.at(this.#network6(network) + 1);
    const count = this.#network6(network + 1) - this.#network6(network) - 1;
    for (let i = 0; i < 16; i++) {
      const octet = i < count ? octets[from + i]! : 0;
      if (octet !== octetOf(address, i)) return octet > octetOf(address, i);
    }
    return false;
  }

  /** Leading bits that the first address of the network shares with an address. */
  #shared(network: number, address: Uint32Array): number {
    const { octets } = this.#list.memory;
    const from = this.#list.at(this.#network6(network) + 1);
    const count = this.#network6(network + 1) - this.#network6(network) - 1;
    for (let i = 0; i < 16; i++) {
      const other = (i < count ? octets[from + i]! : 0) ^ octetOf(address, i);
      if (other !== 0) return i * 8 + Math.clz32(other) - 24;
    }
    return 128;
  }
}

const octetOf = (address: Uint32Array, i: number) => (address[i >>> 2]! >>> (24 - 8 * (i & 3))) & 0xff;

export const prefixes: ListKind<PrefixSet> = {
  compose(value) {
    const octets = composePrefixes(listOf(value));
    return octets.length > headOctets ? octets : undefined;
  },
  open: (list) => new PrefixSet(list),
};

interface Prefix {
  readonly family: Family;
  readonly start: Uint32Array;
  readonly length: number;
}

function composePrefixes(values: readonly unknown[]): Uint8Array {
  const read = values.map(readPrefix).filter((prefix) => prefix !== undefined);
  const [v4, v6] = [networksOf(read, 4), networksOf(read, 6)];
  const entries = v6.map(({ start, length }) => {
    const octets = Array.from({ length: 16 }, (_, i) => octetOf(start, i));
    return [length, ...octets.slice(0, octets.findLastIndex((octet) => octet !== 0) + 1)];
  });
  const size = entries.reduce((sum, entry) => sum + 4 + entry.length, headOctets + v4.length * octets4);
  const list = new Uint8Array(size);
  const view = new DataView(list.buffer);
  view.setUint32(0, v4.length);
  view.setUint32(4, v6.length);
  for (const [i, { start, length }] of v4.entries()) {
    view.setUint32(headOctets + i * 4, start[0]!);
    list[headOctets + v4.length * 4 + i] = length;
  }
  const ends = headOctets + v4.length * octets4;
  const first = ends + v6.length * 4;
  let to = first;
  for (const [i, entry] of entries.entries()) {
    list.set(entry, to);
    to += entry.length;
    view.setUint32(ends + i * 4, to - first);
  }
  return list;
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

function networksOf(all: readonly Prefix[], family: Family): Prefix[] {
  const sorted = all.filter((prefix) => prefix.family === family).sort(compare);
  const kept: Prefix[] = [];
  for (const prefix of sorted) {
    const last = kept.at(-1);
    if (!last || shared(last.start, prefix.start) < last.length) kept.push(prefix);
  }
  return kept;
}

/** Sorts by first address, and larger networks before smaller networks with the same first address. */
function compare(a: Prefix, b: Prefix): number {
  for (let i = 0; i < a.start.length; i++) if (a.start[i] !== b.start[i]) return a.start[i]! - b.start[i]!;
  return a.length - b.length;
}

/** Leading bits that two addresses share. */
function shared(one: Uint32Array, address: Uint32Array): number {
  for (let i = 0; i < one.length; i++) {
    const other = one[i]! ^ address[i]!;
    if (other !== 0) return i * 32 + Math.clz32(other);
  }
  return one.length * 32;
}

/** The first `bits` of a word. */
export const maskOf = (bits: number) => (bits <= 0 ? 0 : bits >= 32 ? 0xffffffff : ~(0xffffffff >>> bits));
