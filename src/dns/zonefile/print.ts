/** Records as lines of a zone file that other servers' tools read too. */
import { type Name, printName } from "../name.ts";
import { printRdata, type RecordType } from "../types.ts";

export interface PrintedRecord {
  readonly owner: Name;
  /** Seconds. */
  readonly ttl: number;
  readonly type: RecordType;
  readonly rdata: Uint8Array;
}

/** One line with its end, every name absolute. */
export const printRecord = ({ owner, ttl, type, rdata }: PrintedRecord): string =>
  `${printName(owner)}\t${ttl}\tIN\t${type.name}\t${printRdata(type, rdata)}\n`;
