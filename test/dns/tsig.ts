/** Valid and invalid signatures of messages (RFC 8945), written without src/dns so that its faults cannot hide. */
import { createHmac } from "node:crypto";
import { parseOrdered } from "./message.ts";
import { labels, wire } from "./names.ts";

export interface TsigKey {
  /** The name as in the message. */
  readonly name: string;
  readonly algorithm: string;
  readonly secret: Buffer;
}

/** Deviations from a valid signature. */
export interface Deviations {
  /** Seconds that the signer's clock is ahead. */
  readonly ahead?: number;
  readonly time?: number;
  readonly fudge?: number;
  readonly rrClass?: number;
  readonly ttl?: number;
  /** Returns the MAC to send, given the valid one. */
  readonly mac?: (mac: Buffer) => Buffer;
}

/** A message, with the TSIG data of its signature if it is signed. */
export interface Signed {
  readonly octets: Buffer;
  readonly by?: { readonly key: TsigKey; readonly mac: Buffer };
}

const tsig = 250;
const any = 255;
const hash = "sha256";

const u16 = (value: number) => Buffer.of(value >>> 8, value & 255);
const u32 = (value: number) => Buffer.concat([u16(value >>> 16), u16(value & 0xffff)]);
const canonical = (name: string) => wire(labels(name.toLowerCase()));
const now = () => Math.floor(Date.now() / 1000);

export function sign(message: Uint8Array, key: TsigKey, deviations: Deviations = {}): Signed {
  const {
    ahead = 0,
    time = now() + ahead,
    fudge = 300,
    rrClass = any,
    ttl = 0,
    mac: altered = (mac) => mac,
  } = deviations;
  const timers = Buffer.alloc(8);
  timers.writeUIntBE(time, 0, 6);
  timers.writeUInt16BE(fudge, 6);
  const mac = altered(digest(key, [message, variables(key, timers, u16(0), Buffer.alloc(0))]));
  const rdata = [wire(labels(key.algorithm)), timers, u16(mac.length), mac, message.subarray(0, 2), u16(0), u16(0)];
  const head = [wire(labels(key.name)), u16(tsig), u16(rrClass), u32(ttl)];
  return { octets: withRecord(message, record(head, rdata)), by: { key, mac } };
}

/** The message with one more record at its end. */
export function withRecord(message: Uint8Array, octets: Uint8Array): Buffer {
  const whole = Buffer.concat([message, octets]);
  whole.writeUInt16BE(whole.readUInt16BE(10) + 1, 10);
  return whole;
}

const record = (head: readonly Uint8Array[], rdata: readonly Uint8Array[]) =>
  Buffer.concat([...head, u16(rdata.reduce((sum, { length }) => sum + length, 0)), ...rdata]);

/** RFC 8945 section 4.3.3. */
const variables = ({ name, algorithm }: TsigKey, timers: Buffer, error: Buffer, other: Buffer) =>
  Buffer.concat([canonical(name), u16(any), u32(0), canonical(algorithm), timers, error, u16(other.length), other]);

const digest = ({ secret }: TsigKey, parts: readonly Uint8Array[]) =>
  parts.reduce((hmac, part) => hmac.update(part), createHmac(hash, secret)).digest();

export interface ReplySignature {
  readonly error: number;
  /** `none` without a MAC. */
  readonly mac: "holds" | "does not hold" | "none";
  readonly other: Buffer;
}

/** The signature of the reply to a query; undefined when it has none. */
export function signatureOf(reply: Buffer, { by }: Signed): ReplySignature | undefined {
  const last = parseOrdered(reply).additional.at(-1);
  if (last?.type !== tsig) return undefined;
  if (!by) throw new Error("the reply to an unsigned query is signed");
  const { key, mac: asked } = by;
  const { rdata } = last;
  const at = wire(labels(key.algorithm)).length;
  const timers = rdata.subarray(at, at + 8);
  const size = rdata.readUInt16BE(at + 8);
  const mac = rdata.subarray(at + 10, at + 10 + size);
  const [error, other] = [rdata.subarray(at + 12 + size, at + 14 + size), rdata.subarray(at + 16 + size)];
  const unsigned = Buffer.from(reply.subarray(0, reply.length - rdata.length - 10 - canonical(key.name).length));
  unsigned.writeUInt16BE(unsigned.readUInt16BE(10) - 1, 10);
  const expected = digest(key, [u16(asked.length), asked, unsigned, variables(key, timers, error, other)]);
  const holds = mac.equals(expected) ? "holds" : "does not hold";
  return { error: error.readUInt16BE(), mac: size === 0 ? "none" : holds, other };
}
