/** Finds the facts of clients by address, and caches them by prefix. */

import { isMapped } from "../lib/address/ip.ts";
import type { ClientFacts } from "../lib/facts.ts";
import { FactCache } from "./cache.ts";
import { decide } from "./decision.ts";
import type { GeoData } from "./facts/data.ts";
import { type Found, Tree } from "./facts/tree.ts";

/** Prefix lengths of the blocks in which most clients have the same facts; facts of longer prefixes are cached by address. */
const block4 = 24;
const block6 = 48;
/** The bits of an IPv4-mapped address before its IPv4 address. */
const mappedBits = 96;

/** The facts of clients, with a bounded cache. One instance per thread. */
export class Geo {
  /** In order of precedence. */
  readonly #trees: readonly Tree[];
  readonly #blocks4 = new FactCache(1 << 14);
  readonly #blocks6 = new FactCache(1 << 14);
  readonly #addresses4 = new FactCache(1 << 13);
  readonly #addresses6 = new FactCache(1 << 13);
  readonly #onClient: ((wasCached: boolean) => void) | undefined;

  /** `onClient` is called for each client; `wasCached` is whether its facts came from the cache. */
  constructor(data: GeoData, onClient?: (wasCached: boolean) => void) {
    this.#onClient = onClient;
    this.#trees = data.sources.map(({ tree }) => new Tree(tree));
  }

  /**
   * Returns the facts about the address of `length` octets (4 or 16) at `offset`; each fact can be undefined. The caller
   * pads a shorter client subnet (RFC 7871) with zeros. An IPv4-mapped address has the facts of its IPv4 address, with
   * lengths from bit 0 of the IPv6 address. Allocates nothing when the prefix is cached.
   */
  find(octets: Uint8Array, offset: number, length: 4 | 16): ClientFacts {
    return length === 4 ? this.#find4(octets, offset) : this.#find6(octets, offset);
  }

  #find4(octets: Uint8Array, offset: number): ClientFacts {
    const address = int32(octets, offset);
    const block = address & -256;
    const cached = this.#blocks4.find(block, 0, 0, 0) ?? this.#addresses4.find(address, 0, 0, 0);
    this.#onClient?.(cached !== undefined);
    if (cached !== undefined) return cached;
    const found = this.#lookUp(octets, offset, 4, 0);
    const facts = decide(found);
    if (deepest(found) <= block4) this.#blocks4.keep(block, 0, 0, 0, facts);
    else this.#addresses4.keep(address, 0, 0, 0, facts);
    return facts;
  }

  #find6(octets: Uint8Array, offset: number): ClientFacts {
    const a = int32(octets, offset);
    const b = int32(octets, offset + 4);
    const block = b & -65536;
    const c = int32(octets, offset + 8);
    const d = int32(octets, offset + 12);
    const cached = this.#blocks6.find(a, block, 0, 0) ?? this.#addresses6.find(a, b, c, d);
    this.#onClient?.(cached !== undefined);
    if (cached !== undefined) return cached;
    const found = isMapped(octets, offset)
      ? this.#lookUp(octets, offset + 12, 4, mappedBits)
      : this.#lookUp(octets, offset, 16, 0);
    const facts = decide(found);
    if (deepest(found) <= block6) this.#blocks6.keep(a, block, 0, 0, facts);
    else this.#addresses6.keep(a, b, c, d, facts);
    return facts;
  }

  #lookUp(octets: Uint8Array, offset: number, length: 4 | 16, base: number): Found[] {
    return this.#trees.map((tree) => tree.find(octets, offset, length, base));
  }
}

/** Returns the number of leading bits that determined all facts. */
const deepest = (found: readonly Found[]) => found.reduce((most, { depth }) => Math.max(most, depth), 0);

const int32 = (octets: Uint8Array, at: number) =>
  (octets[at]! << 24) | (octets[at + 1]! << 16) | (octets[at + 2]! << 8) | octets[at + 3]!;
