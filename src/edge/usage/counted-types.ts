/** Record types whose queries are counted each on their own. */
import { TypeCode } from "../../dns/wire/constants.ts";

export const countedTypes = [
  ...(["A", "NS", "CNAME", "SOA", "PTR", "MX", "TXT", "AAAA", "SRV", "NAPTR", "DS", "DNSKEY"] as const),
  ...(["TLSA", "SVCB", "HTTPS", "CAA", "ANY"] as const),
];

const indexes = new Uint8Array(0x10000).fill(countedTypes.length);
countedTypes.forEach((type, index) => {
  indexes[TypeCode[type]] = index;
});

/** The index of a type in `countedTypes`; that after the last for all other types. */
export const typeIndex = (qtype: number): number => indexes[qtype]!;

/** The type at an index, `other` after the last. */
export const typeAt = (index: number): string => countedTypes[index] ?? "other";
