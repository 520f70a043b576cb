/** Prints records as lines of a zone file that the tools of other servers can read too. */

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

/** Returns a line with its line end; all names are absolute. */
export function printRecord({ owner, ttl, type, rdata }: PrintedRecord): string {
  const head = `${printName(owner)}\t${ttl}\tIN\t`;
  return seldomKnown.has(type.name)
    ? `${head}TYPE${type.code}\t${printGeneric(rdata)}\n`
    : `${head}${type.name}\t${printRdata(type, rdata)}\n`;
}

/** Types for which NSD, Knot or ldns has no name; all three read the generic form of RFC 3597. */
const seldomKnown = new Set([
  ...["AMTRELAY", "AVC", "DLV", "DOA", "DSYNC", "EID", "GPOS", "HIP", "ISDN", "MB", "MG", "MR", "NIMLOC", "NINFO"],
  ...["NSAP", "NSAP-PTR", "PX", "RESINFO", "RKEY", "TA", "TALINK", "WALLET", "X25"],
]);
