/** The client's side of DNS messages: composes queries and parses replies. */
import { parseRdata, printRdata } from "./rdata/codec.ts";
import type { RecordType } from "./rdata/record-type.ts";
import { typeCoded } from "./type-names.ts";
import { Class, TypeCode } from "./wire/constants.ts";
import { OptionCode } from "./wire/edns.ts";
import { type Name, printName } from "./wire/name.ts";
import { Reader, Writer } from "./wire/wire.ts";

/** A client's network, as in the client subnet option (RFC 7871 section 6). */
export interface Subnet {
  readonly family: 4 | 6;
  /** 4 or 16 octets; the bits after the prefix are 0. */
  readonly address: Uint8Array;
  /** Bits. */
  readonly prefix: number;
}

export interface ResourceRecord {
  readonly owner: Name;
  readonly type: RecordType;
  /** Seconds. */
  readonly ttl: number;
  /** Without compression. */
  readonly rdata: Uint8Array;
}

export interface Reply {
  readonly rcode: number;
  /** The 16 bits of flags in the header, including opcode and RCODE. */
  readonly flags: number;
  readonly answer: readonly ResourceRecord[];
  readonly authority: readonly ResourceRecord[];
  /** Without the OPT record. */
  readonly additional: readonly ResourceRecord[];
}

/** Composes a query with class IN and EDNS; its reply may have at most `payload` octets. */
export function composeQuery(name: Name, type: number, payload: number, subnet?: Subnet): Uint8Array {
  const writer = new Writer(new Uint8Array(512));
  for (const value of [0, 0, 1, 0, 0, 1]) writer.u16(value);
  writer.name(name, false);
  for (const value of [type, Class.IN]) writer.u16(value);
  writer.u8(0);
  for (const value of [TypeCode.OPT, payload]) writer.u16(value);
  writer.u32(0);
  const address = subnet?.address.subarray(0, (subnet.prefix + 7) >>> 3);
  writer.u16(subnet && address ? 8 + address.length : 0);
  if (subnet && address) {
    for (const value of [OptionCode.ECS, 4 + address.length, subnet.family === 4 ? 1 : 2]) writer.u16(value);
    writer.u8(subnet.prefix);
    writer.u8(0);
    writer.bytes(address);
  }
  return writer.octets.subarray(0, writer.at);
}

/** Throws a WireError for octets that are not a message. */
export function parseReply(octets: Uint8Array): Reply {
  const reader = new Reader(octets);
  reader.u16();
  const flags = reader.u16();
  const [questions, answers, authorities, additionals] = [reader.u16(), reader.u16(), reader.u16(), reader.u16()];
  for (let i = 0; i < questions; i++) {
    reader.name();
    reader.u32();
  }
  const section = (count: number) => Array.from({ length: count }, () => parseRecord(reader));
  const [answer, authority, additional] = [section(answers), section(authorities), section(additionals)];
  const opt = additional.find(({ type }) => type.code === TypeCode.OPT);
  return {
    // RFC 6891 section 6.1.3: the OPT record's TTL begins with the upper bits
    rcode: (flags & 15) | (((opt?.ttl ?? 0) >>> 24) << 4),
    flags,
    answer,
    authority,
    additional: additional.filter((record) => record !== opt),
  };
}

function parseRecord(reader: Reader): ResourceRecord {
  const owner = reader.name();
  const type = typeCoded(reader.u16());
  reader.u16();
  const ttl = reader.u32();
  const rdata = reader.slice(reader.u16());
  return { owner, type, ttl, rdata: parseRdata(type, rdata) };
}

/** Prints a record in one line, with blanks between its fields. */
export const printRecord = ({ owner, type, ttl, rdata }: ResourceRecord) =>
  `${printName(owner)} ${ttl} IN ${type.name} ${printRdata(type, rdata)}`;
