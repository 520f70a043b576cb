/** The TSIG record of a message (RFC 8945 section 4.2): the last record, with class ANY and TTL 0. */
import { Class, TypeCode } from "../wire/constants.ts";
import { headerOctets } from "../wire/message.ts";
import { lowerName, type Name } from "../wire/name.ts";
import { joined, Reader, WireError, Writer } from "../wire/wire.ts";

export interface TsigFields {
  /** The key's name in lower case, as the signature covers it. */
  readonly name: Name;
  /** The algorithm's name in lower case. */
  readonly algorithm: Name;
  /** Unix seconds. */
  readonly time: number;
  /** The permitted difference of the clocks, in seconds. */
  readonly fudge: number;
  readonly mac: Uint8Array;
  readonly originalId: number;
  readonly error: number;
  readonly other: Uint8Array;
}

export interface Signature extends TsigFields {
  /** The offset of the record in its message. */
  readonly at: number;
}

/** The signature of a message, if it has one. Throws a WireError for an invalid message or TSIG record. */
export function readSignature(message: Uint8Array): Signature | undefined {
  const reader = new Reader(message);
  reader.u32();
  const [questions, answers, authorities, additionals] = [reader.u16(), reader.u16(), reader.u16(), reader.u16()];
  for (let i = 0; i < questions; i++) {
    skipName(reader);
    reader.u32();
  }
  for (let left = answers + authorities + additionals; left > 0; left--) {
    const at = reader.at;
    skipName(reader);
    const [type, rrClass, ttl] = [reader.u16(), reader.u16(), reader.u32()];
    const rdata = reader.slice(reader.u16());
    if (type !== TypeCode.TSIG) continue;
    if (left > 1 || additionals === 0) throw new WireError("has a TSIG record that is not the last one");
    if (rrClass !== Class.ANY || ttl !== 0)
      throw new WireError("has a TSIG record whose class is not ANY or TTL is not 0");
    return { at, name: lowerName(nameAt(message, at)), ...parse(rdata) };
  }
  return undefined;
}

/** Skips a name without following its pointer, since the target may be in RDATA, which are not parsed here. */
function skipName(reader: Reader): void {
  for (let size = reader.u8(); size !== 0; size = reader.u8()) {
    if (size >= 0xc0) return void reader.u8();
    if (size > 63) throw new WireError("has a label of an unknown kind");
    reader.slice(size);
  }
}

/** The name at an offset; each pointer must lead further back than the previous pointer. */
function nameAt(message: Uint8Array, start: number): Name {
  const name: number[] = [];
  let bound = start;
  for (let at = start; ; ) {
    const size = message[at]!;
    if (size >= 0xc0) {
      const target = ((size & 0x3f) << 8) | message[at + 1]!;
      if (target >= bound) throw new WireError("has a compression pointer that does not point back");
      at = target;
      bound = target;
      continue;
    }
    if (size > 63 || name.length + 1 + size > 255 || at + 1 + size > message.length) {
      throw new WireError("has an invalid name");
    }
    for (const octet of message.subarray(at, at + 1 + size)) name.push(octet);
    if (size === 0) return Uint8Array.from(name);
    at += 1 + size;
  }
}

function parse(rdata: Reader): Omit<TsigFields, "name"> {
  const fields = {
    algorithm: lowerName(rdata.name()),
    time: rdata.u16() * 2 ** 32 + rdata.u32(),
    fudge: rdata.u16(),
    mac: rdata.bytes(rdata.u16()),
    originalId: rdata.u16(),
    error: rdata.u16(),
    other: rdata.bytes(rdata.u16()),
  };
  if (rdata.left > 0) throw new WireError("has octets after its fields");
  return fields;
}

/** Octets of the record with `mac` octets of MAC and `other` octets of other data. */
export const octetsOf = (name: Name, algorithm: Name, mac: number, other = 0): number =>
  name.length + 10 + algorithm.length + 16 + mac + other;

export function composeSignature(fields: TsigFields): Uint8Array {
  const { name, algorithm, mac, originalId, error, other } = fields;
  const size = octetsOf(name, algorithm, mac.length, other.length);
  const writer = new Writer(new Uint8Array(size));
  writer.bytes(name);
  for (const value of [TypeCode.TSIG, Class.ANY, 0, 0, size - name.length - 10]) writer.u16(value);
  writer.bytes(algorithm);
  writer.bytes(timersOf(fields));
  writer.u16(mac.length);
  writer.bytes(mac);
  for (const value of [originalId, error, other.length]) writer.u16(value);
  writer.bytes(other);
  return writer.octets;
}

/** The signed fields of the record itself (RFC 8945 section 4.3.3). */
export function variablesOf(fields: TsigFields): Uint8Array {
  const { name, algorithm, error, other } = fields;
  const writer = new Writer(new Uint8Array(name.length + 6 + algorithm.length + 12 + other.length));
  writer.bytes(name);
  for (const value of [Class.ANY, 0, 0]) writer.u16(value);
  writer.bytes(algorithm);
  writer.bytes(timersOf(fields));
  for (const value of [error, other.length]) writer.u16(value);
  writer.bytes(other);
  return writer.octets;
}

/** Time and fudge: the only signed fields of the record in later messages of a stream (RFC 8945 section 5.3.1). */
export function timersOf({ time, fudge }: Pick<TsigFields, "time" | "fudge">): Uint8Array {
  return joined([timeOctets(time), Uint8Array.of(fudge >>> 8, fudge)]);
}

/** Unix seconds in 6 octets. */
export function timeOctets(time: number): Uint8Array {
  const octets = new Uint8Array(6);
  const view = new DataView(octets.buffer);
  view.setUint16(0, Math.floor(time / 2 ** 32));
  view.setUint32(2, time % 2 ** 32);
  return octets;
}

/** The message as it was signed: without the TSIG record, and with the original ID. */
export function unsignedMessage(message: Uint8Array, { at, originalId }: Signature): Uint8Array {
  // always a copy: `slice` of a Buffer is only a view
  const octets = new Uint8Array(message.subarray(0, at));
  octets[0] = originalId >>> 8;
  octets[1] = originalId;
  countAdditional(octets, 0, -1);
  return octets;
}

/** The message with its TSIG record added. */
export function signedMessage(message: Uint8Array, record: Uint8Array): Uint8Array {
  const octets = joined([message, record]);
  countAdditional(octets, 0, 1);
  return octets;
}

/** Changes the count of additional records in the header of the message at `start`. */
export function countAdditional(octets: Uint8Array, start: number, step: 1 | -1): void {
  const at = start + headerOctets - 2;
  const count = ((octets[at]! << 8) | octets[at + 1]!) + step;
  octets[at] = count >>> 8;
  octets[at + 1] = count;
}
