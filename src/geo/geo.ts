/** Finds what is known of a client by its address, and keeps it per prefix. */

import type { ClientFacts } from "../lib/facts.ts";
import { FactCache } from "./cache.ts";
import { decide } from "./decision.ts";
import { isMapped } from "./facts/address.ts";
import type { GeoData } from "./facts/data.ts";
import { type Found, Tree } from "./facts/walk.ts";

/** Blocks in which most clients share their facts; those of a finer one are kept by address. */
const block4 = 24;
const block6 = 48;
/** Of an IPv4-mapped address, before its IPv4 address. */
const mappedBits = 96;

/** Told of each client, whether its facts were ready. */
export type OnClient = (wasKept: boolean) => void;

/** Opens data that `loadGeo` made, in the same thread or another. */
export const openGeo = (data: GeoData, onClient?: OnClient): Geo => new Geo(data, onClient);

/** The facts of clients. One per thread: it keeps what it found, in bounded memory. */
export class Geo {
  /** In the order in which they are asked. */
  readonly #trees: readonly Tree[];
  readonly #blocks4 = new FactCache(1 << 14);
  readonly #blocks6 = new FactCache(1 << 14);
  readonly #addresses4 = new FactCache(1 << 13);
  readonly #addresses6 = new FactCache(1 << 13);

  readonly #onClient: OnClient | undefined;

  constructor(data: GeoData, onClient?: OnClient) {
    this.#onClient = onClient;
    this.#trees = data.sources.map(({ tree }) => new Tree(tree));
  }

  /**
   * The facts of the address of `length` octets (4 or 16) at `offset`; never undefined, all its facts may be. The octets
   * of a shorter client subnet (RFC 7871) are padded with zeros by the caller. An IPv4-mapped address has the facts of
   * its IPv4 address, with lengths counted from bit 0 of the IPv6 address. Allocates nothing when the prefix is cached.
   */
  find(octets: Uint8Array, offset: number, length: 4 | 16): ClientFacts {
    return length === 4 ? this.#find4(octets, offset) : this.#find6(octets, offset);
  }

  #find4(octets: Uint8Array, offset: number): ClientFacts {
    const address = int32(octets, offset);
    const block = address & -256;
    const kept = this.#blocks4.find(block, 0, 0, 0) ?? this.#addresses4.find(address, 0, 0, 0);
    this.#onClient?.(kept !== undefined);
    if (kept !== undefined) return kept;
    const found = this.#ask(octets, offset, 4, 0);
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
    const kept = this.#blocks6.find(a, block, 0, 0) ?? this.#addresses6.find(a, b, c, d);
    this.#onClient?.(kept !== undefined);
    if (kept !== undefined) return kept;
    const found = isMapped(octets, offset)
      ? this.#ask(octets, offset + 12, 4, mappedBits)
      : this.#ask(octets, offset, 16, 0);
    const facts = decide(found);
    if (deepest(found) <= block6) this.#blocks6.keep(a, block, 0, 0, facts);
    else this.#addresses6.keep(a, b, c, d, facts);
    return facts;
  }

  #ask(octets: Uint8Array, offset: number, length: 4 | 16, base: number): Found[] {
    return this.#trees.map((tree) => tree.find(octets, offset, length, base));
  }
}

/** How many bits decided everything: whoever shares them shares all facts. */
const deepest = (found: readonly Found[]) => found.reduce((most, { depth }) => Math.max(most, depth), 0);

const int32 = (octets: Uint8Array, at: number) =>
  (octets[at]! << 24) | (octets[at + 1]! << 16) | (octets[at + 2]! << 8) | octets[at + 3]!;
