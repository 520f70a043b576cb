/** Prints records as lines of a zone file that the tools of other servers can read too. */
import { printRdata } from "../rdata/codec.ts";
import { printGeneric } from "../rdata/opaque.ts";
import type { ResourceRecord } from "../reply.ts";
import { printName } from "../wire/name.ts";

/** Returns a line with its line end; all names are absolute. */
export function printEntry({ owner, ttl, type, rdata }: ResourceRecord): string {
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
