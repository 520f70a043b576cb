/** Who a client is, as far as files and the operator know: the facts that steering reads, and what each depended on. */

/** The coarse regions of the API's `georegion` metadata. */
export const georegions = ["US-EAST", "US-CENTRAL", "US-WEST", "EUROPE", "ASIAPAC", "SOUTH-AMERICA", "AFRICA"] as const;
export type Georegion = (typeof georegions)[number];

/** What is known of one client. Read-only and shared: the same object is handed out for every client of a prefix. */
export interface ClientFacts {
  /** ISO 3166-1, two capital letters. */
  readonly country: string | undefined;
  /** ISO 3166-2 without the country in front (`CA` of `US-CA`); only beside a country. */
  readonly subdivision: string | undefined;
  /** Degrees north. Present exactly when `longitude` is; of the subdivision's or country's middle when no file says more. */
  readonly latitude: number | undefined;
  /** Degrees east. */
  readonly longitude: number | undefined;
  /** Number of the autonomous system. */
  readonly asn: number | undefined;
  readonly georegion: Georegion | undefined;
  readonly lengths: FactLengths;
}

/**
 * For every fact, also one that is absent, the length in bits of the client's prefix in which it is the same: 0 to 32
 * for IPv4, 0 to 128 for IPv6. The scope of RFC 7871 §7.2.1 is the largest of the lengths of the facts that were read.
 */
export interface FactLengths {
  readonly country: number;
  readonly subdivision: number;
  /** Of latitude and longitude. */
  readonly coordinates: number;
  readonly asn: number;
  readonly georegion: number;
}
