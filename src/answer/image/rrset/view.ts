/** A view of an RRset in the image. Each look-up fills the same object again. */
import { read32 } from "../../lists/list.ts";
import { recordTtl } from "../memory/layout.ts";
import type { Rrset } from "./rrset.ts";

export class RrsetView {
  /** Contains the records, from `at` up to `end`. */
  octets: Uint8Array = nothing;
  at = 0;
  end = 0;
  type = 0;
  count = 0;
  flags = 0;
  /** Replaces the TTL of the records; -1 keeps their own. */
  ttl = -1;
  /** Buffer for the records selected for one query. */
  spare: Uint8Array = nothing;

  /** Returns a view of an RRset outside any image. */
  static of({ type, count, flags, octets }: Rrset): RrsetView {
    return Object.assign(new RrsetView(), { octets, at: 0, end: octets.length, type, count, flags });
  }
}

const nothing = new Uint8Array(0);

/** RFC 2181 section 5.2: all records of an RRset have one TTL. */
export const ttlOf = ({ octets, at, ttl }: RrsetView) => (ttl < 0 ? read32(octets, at + recordTtl) : ttl);
