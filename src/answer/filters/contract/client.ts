/** The client as filters see it. Each worker has one object and resets it for each query. */
import type { ClientFacts } from "../../../lib/facts.ts";
import { maskOf, type PrefixSet } from "../../lists/prefixes.ts";
import type { FilterClient } from "./filter.ts";

/** Returns the facts about an address. Frequent networks get the same object each time. */
export type Locate = (octets: Uint8Array, offset: number, length: 4 | 16) => ClientFacts;

/** Called for each fact that a filter reads; the fact depends on `bits` leading bits of the address. */
export type NoteFact = (fact: string, value: unknown, bits: number) => void;

export class LocatedClient implements FilterClient {
  /** How many leading bits of the address the facts read since `begin` depend on. */
  depth = 0;
  note: NoteFact | undefined;
  readonly #locate: Locate;
  readonly #octets = new Uint8Array(16);
  readonly #words = new Uint32Array(4);
  #length: 4 | 16 = 4;
  #facts: ClientFacts | undefined;
  #name: Uint8Array | undefined;
  #matchedEnd = 0;
  #state: number;

  /** `seed` is any number of 32 bits; the same seed yields the same random numbers. */
  constructor(locate: Locate, seed: number) {
    this.#locate = locate;
    this.#state = seed | 0;
  }

  /** Sets the client's address, of `length` octets: the first `given` octets are at `at`, the rest are 0. */
  begin(octets: Uint8Array, at: number, given: number, length: 4 | 16): void {
    const mine = this.#octets;
    for (let i = 0; i < length; i++) mine[i] = i < given ? octets[at + i]! : 0;
    const words = this.#words;
    for (let i = 0; i < length; i += 4) {
      words[i >>> 2] = (mine[i]! << 24) | (mine[i + 1]! << 16) | (mine[i + 2]! << 8) | mine[i + 3]!;
    }
    this.#length = length;
    this.#facts = undefined;
    this.depth = 0;
  }

  /** Sets the labels that the record's wildcard matched: `name` before `end`; undefined without a wildcard. */
  match(name: Uint8Array | undefined, end: number): void {
    this.#name = name;
    this.#matchedEnd = end;
  }

  /** Restarts the random numbers with a seed. */
  seed(seed: number): void {
    this.#state = seed | 0;
  }

  country(): string {
    const { country = "", lengths } = this.#located();
    return this.#noted("country", country, lengths.country);
  }

  subdivision(): string {
    const { subdivision = "", lengths } = this.#located();
    return this.#noted("subdivision", subdivision, lengths.subdivision);
  }

  georegion(): string {
    const { georegion = "", lengths } = this.#located();
    return this.#noted("georegion", georegion, lengths.georegion);
  }

  asn(): number {
    const { asn = 0, lengths } = this.#located();
    return this.#noted("asn", asn, lengths.asn);
  }

  latitude(): number {
    const { latitude = Number.NaN, lengths } = this.#located();
    return this.#noted("latitude", latitude, lengths.coordinates);
  }

  longitude(): number {
    const { longitude = Number.NaN, lengths } = this.#located();
    return this.#noted("longitude", longitude, lengths.coordinates);
  }

  isIn(prefixes: PrefixSet): boolean {
    const isIn = prefixes.has(this.#words, this.#length === 4 ? 4 : 6);
    return this.#noted("prefix", isIn, prefixes.depth);
  }

  network(v4: number, v6: number): number {
    const words = this.#words;
    const bits = this.#length === 4 ? v4 : v6;
    let hash: number = this.#length;
    for (let i = 0; i < this.#length >>> 2; i++) hash = mix(hash, words[i]! & maskOf(bits - i * 32));
    return this.#noted("network", hash, bits);
  }

  /** mulberry32. */
  random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  matched(): Uint8Array | undefined {
    return this.#name?.subarray(0, this.#matchedEnd);
  }

  #located(): ClientFacts {
    this.#facts ??= this.#locate(this.#octets, 0, this.#length);
    return this.#facts;
  }

  #noted<Value>(fact: string, value: Value, bits: number): Value {
    if (bits > this.depth) this.depth = bits;
    this.note?.(fact, value, bits);
    return value;
  }
}

/** One round of a hash of 32 bits; every bit of both numbers affects the result. */
export function mix(hash: number, word: number): number {
  let h = Math.imul(hash ^ word, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h + word, 0xc2b2ae35);
  return h ^ (h >>> 16);
}
