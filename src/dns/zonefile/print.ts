/** Records as lines of a zone file that other servers' tools read too. */

import { printRdata } from "../rdata/codec.ts";
import { printGeneric } from "../rdata/opaque.ts";
import type { RecordType } from "../rdata/record-type.ts";
import { type Name, printName } from "../wire/name.ts";

export interface PrintedRecord {
  readonly owner: Name;
  /** Seconds. */
  readonly ttl: number;
  readonly type: RecordType;
  readonly rdata: Uint8Array;
}

/** One line with its end, every name absolute. */
export function printRecord({ owner, ttl, type, rdata }: PrintedRecord): string {
  const head = `${printName(owner)}\t${ttl}\tIN\t`;
  return seldomKnown.has(type.name)
    ? `${head}TYPE${type.code}\t${printGeneric(rdata)}\n`
    : `${head}${type.name}\t${printRdata(type, rdata)}\n`;
}

/** Types that NSD, Knot or ldns have no name for: all of them read the form of RFC 3597. */
const seldomKnown = new Set([
  ...["AMTRELAY", "AVC", "DLV", "DOA", "DSYNC", "EID", "GPOS", "HIP", "ISDN", "MB", "MG", "MR", "NIMLOC", "NINFO"],
  ...["NSAP", "NSAP-PTR", "PX", "RESINFO", "RKEY", "TA", "TALINK", "WALLET", "X25"],
]);
