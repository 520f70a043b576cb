/** Finds what is known of a client by its address. */
import type { GeoData } from "./data.ts";
import type { ClientFacts } from "./facts.ts";

/** One per thread: it keeps what it found in a bounded cache. */
export interface Geo {
  /**
   * The facts of the address of `length` octets (4 or 16) at `offset`; never undefined, all its facts may be. The octets
   * of a shorter client subnet (RFC 7871) are padded with zeros by the caller. IPv4-mapped addresses are their IPv4
   * address, with lengths counted from bit 0 of the IPv6 address. Allocates nothing when the prefix is in the cache.
   */
  find(octets: Uint8Array, offset: number, length: 4 | 16): ClientFacts;
}

/** Opens data that `loadGeo` made, in the same thread or another. */
export type OpenGeo = (data: GeoData) => Geo;
