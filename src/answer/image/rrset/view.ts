/** An RRset where it lies in the image. One object is filled anew by each look-up. */
import { recordTtl } from "../memory/layout.ts";
import type { Rrset } from "./rrset.ts";

export class RrsetView {
  /** The records are here, from `at` up to `end`. */
  octets: Uint8Array = nothing;
  at = 0;
  end = 0;
  type = 0;
  count = 0;
  flags = 0;
  /** In place of the one that the records have; -1 for that. */
  ttl = -1;
  /** For records that are chosen for one query: they are put together here. */
  spare: Uint8Array = nothing;

  /** Shows an RRset that is in no image. */
  static of({ type, count, flags, octets }: Rrset): RrsetView {
    return Object.assign(new RrsetView(), { octets, at: 0, end: octets.length, type, count, flags });
  }
}

const nothing = new Uint8Array(0);

/** RFC 2181 section 5.2: all records of an RRset have one TTL. */
export const ttlOf = ({ octets, at, ttl }: RrsetView) => (ttl < 0 ? read32(octets, at + recordTtl) : ttl);

export const read32 = (octets: Uint8Array, at: number) =>
  octets[at]! * 0x1000000 + ((octets[at + 1]! << 16) | (octets[at + 2]! << 8) | octets[at + 3]!);
