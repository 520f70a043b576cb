/** The facts about a client from geo files, which steering uses, and the prefix lengths on which they depend. */

/** The coarse regions of the API's `georegion` metadata. */
export const georegions = ["US-EAST", "US-CENTRAL", "US-WEST", "EUROPE", "ASIAPAC", "SOUTH-AMERICA", "AFRICA"] as const;
export type Georegion = (typeof georegions)[number];

/** The facts about a client. Read-only, since all clients of a prefix share one object. */
export interface ClientFacts {
  /** ISO 3166-1, two capital letters. */
  readonly country: string | undefined;
  /** ISO 3166-2 without the country (`CA` of `US-CA`); only together with a country. */
  readonly subdivision: string | undefined;
  /** Degrees north; together with `longitude`. The centre of the subdivision or country if no file has coordinates. */
  readonly latitude: number | undefined;
  /** Degrees east. */
  readonly longitude: number | undefined;
  /** The number of the autonomous system. */
  readonly asn: number | undefined;
  readonly georegion: Georegion | undefined;
  readonly lengths: FactLengths;
}

/**
 * For each fact, present or absent, the length in bits of the client's prefix in which the fact is the same: 0 to 32
 * for IPv4, 0 to 128 for IPv6. The scope of RFC 7871 §7.2.1 is the largest length of the facts that were read.
 */
export interface FactLengths {
  readonly country: number;
  readonly subdivision: number;
  /** For latitude and longitude. */
  readonly coordinates: number;
  readonly asn: number;
  readonly georegion: number;
}
