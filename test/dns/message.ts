/** Questions as octets, and replies as values that can be compared; written independently of src/dns. */
import { type Labels, wire } from "./names.ts";

export interface Edns {
  readonly payload: number;
  readonly dnssecOk: boolean;
  readonly subnet?: Subnet;
}

/** A client subnet (RFC 7871 section 6). */
export interface Subnet {
  readonly family: 4 | 6;
  /** The whole address; bits after the source prefix are zero. */
  readonly octets: Buffer;
  readonly source: number;
}

/** A query of class IN with the id 0. */
export function question(name: Labels, type: number, options: { rd?: boolean; edns?: Edns } = {}): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt16BE(options.rd ? 0x0100 : 0, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(options.edns ? 1 : 0, 10);
  const tail = Buffer.alloc(4);
  tail.writeUInt16BE(type, 0);
  tail.writeUInt16BE(1, 2);
  return Buffer.concat([header, wire(name), tail, ...(options.edns ? [optRecord(options.edns)] : [])]);
}

/** RFC 6891 §6.1.2. */
function optRecord({ payload, dnssecOk, subnet }: Edns): Buffer {
  const opt = Buffer.alloc(11);
  opt.writeUInt16BE(41, 1);
  opt.writeUInt16BE(payload, 3);
  opt.writeUInt16BE(dnssecOk ? 0x8000 : 0, 7);
  const option = subnet ? subnetOption(subnet) : Buffer.alloc(0);
  opt.writeUInt16BE(option.length, 9);
  return Buffer.concat([opt, option]);
}

const subnetCode = 8;

function subnetOption({ family, octets, source }: Subnet): Buffer {
  const address = octets.subarray(0, Math.ceil(source / 8));
  const head = Buffer.alloc(8);
  head.writeUInt16BE(subnetCode, 0);
  head.writeUInt16BE(4 + address.length, 2);
  head.writeUInt16BE(family === 4 ? 1 : 2, 4);
  head.writeUInt8(source, 6);
  return Buffer.concat([head, address]);
}

/** A reply: flags, and sections as sets of records with their names written out. */
export interface Reply {
  readonly rcode: number;
  /** AA, TC, RD, RA, Z, AD, CD as bits of the header. */
  readonly flags: number;
  /** The question in the reply. */
  readonly question: string;
  readonly answer: readonly string[];
  readonly authority: readonly string[];
  readonly truncated: boolean;
}

/** Positions of names in RDATA that may be compressed: octets before the first name, and the number of names. */
const compressed: Record<number, { skip: number; names: number }> = {
  2: { skip: 0, names: 1 },
  5: { skip: 0, names: 1 },
  6: { skip: 0, names: 2 },
  12: { skip: 0, names: 1 },
  15: { skip: 2, names: 1 },
  33: { skip: 6, names: 1 },
  39: { skip: 0, names: 1 },
};

export function parseReply(message: Buffer): Reply {
  const flags = message.readUInt16BE(2);
  const cursor = { message, at: 12 };
  const question = message.readUInt16BE(4) === 1 ? `${name(cursor)} ${take(cursor, 4).toString("hex")}` : "";
  const answer = Array.from({ length: message.readUInt16BE(6) }, () => record(cursor)).sort();
  const authority = Array.from({ length: message.readUInt16BE(8) }, () => record(cursor)).sort();
  return { rcode: flags & 0xf, flags: flags & 0x07f0, question, answer, authority, truncated: (flags & 0x0200) !== 0 };
}

/** A record in a message. */
export interface ReplyRecord {
  readonly owner: string;
  readonly type: number;
  /** The TTL; for OPT, the flags. */
  readonly ttl: number;
  readonly rdata: Buffer;
  /** The name at the start of the RDATA, if the type has one. */
  readonly target: string;
}

export interface OrderedReply {
  readonly rcode: number;
  readonly truncated: boolean;
  readonly answer: readonly ReplyRecord[];
  readonly additional: readonly ReplyRecord[];
  /** The scope in the client subnet option; undefined without the option. */
  readonly subnet: { readonly source: number; readonly scope: number } | undefined;
}

/** A reply with its records in their order. */
export function parseOrdered(message: Buffer): OrderedReply {
  const flags = message.readUInt16BE(2);
  const cursor = { message, at: 12 };
  for (let n = message.readUInt16BE(4); n > 0; n--) {
    name(cursor);
    take(cursor, 4);
  }
  const section = (count: number) => Array.from({ length: message.readUInt16BE(count) }, () => orderedRecord(cursor));
  const answer = section(6);
  section(8);
  const additional = section(10);
  const options = additional.find(({ type }) => type === 41)?.rdata;
  return {
    rcode: flags & 0xf,
    truncated: (flags & 0x0200) !== 0,
    answer,
    additional: additional.filter(({ type }) => type !== 41),
    subnet: options && readSubnet(options),
  };
}

function orderedRecord(cursor: Cursor): ReplyRecord {
  const owner = name(cursor);
  const [type, , ttl, length] = [u16(cursor), u16(cursor), u32(cursor), u16(cursor)];
  const at = cursor.at;
  const target = (compressed[type]?.skip ?? -1) === 0 ? name({ message: cursor.message, at }) : "";
  return { owner, type, ttl, rdata: take(cursor, length), target };
}

function readSubnet(options: Buffer): OrderedReply["subnet"] {
  for (let at = 0; at < options.length; at += 4 + options.readUInt16BE(at + 2)) {
    if (options.readUInt16BE(at) === subnetCode) return { source: options[at + 6]!, scope: options[at + 7]! };
  }
  return undefined;
}

interface Cursor {
  readonly message: Buffer;
  at: number;
}

function record(cursor: Cursor): string {
  const owner = name(cursor);
  const [type, , ttl, length] = [u16(cursor), u16(cursor), u32(cursor), u16(cursor)];
  const end = cursor.at + length;
  const { skip, names } = compressed[type] ?? { skip: length, names: 0 };
  const parts = [take(cursor, skip).toString("hex")];
  for (let n = 0; n < names; n++) parts.push(name(cursor));
  parts.push(take(cursor, end - cursor.at).toString("hex"));
  return `${owner} ${ttl} TYPE${type} ${parts.filter((part) => part !== "").join(" ")}`;
}

function take(cursor: Cursor, octets: number): Buffer {
  if (octets < 0 || cursor.at + octets > cursor.message.length) throw new Error("a reply ends inside a record");
  cursor.at += octets;
  return cursor.message.subarray(cursor.at - octets, cursor.at);
}

const u16 = (cursor: Cursor) => take(cursor, 2).readUInt16BE();
const u32 = (cursor: Cursor) => take(cursor, 4).readUInt32BE();

function name(cursor: Cursor): string {
  let text = "";
  let back: number | undefined;
  for (let jumps = 0; ; ) {
    const length = take(cursor, 1)[0]!;
    if (length === 0) break;
    if (length >= 0xc0) {
      const target = ((length & 0x3f) << 8) | take(cursor, 1)[0]!;
      back ??= cursor.at;
      if (jumps++ > 127 || target >= cursor.at - 2) throw new Error("a compression pointer leads forward");
      cursor.at = target;
    } else {
      text += `${take(cursor, length)
        .toString("latin1")
        .replace(/[^!-~]|[.\\]/g, escaped)}.`;
    }
  }
  if (back !== undefined) cursor.at = back;
  return text === "" ? "." : text;
}

const escaped = (octet: string) => `\\${octet.charCodeAt(0).toString().padStart(3, "0")}`;
