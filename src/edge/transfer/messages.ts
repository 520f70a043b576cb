/** Records packed into the messages of a transfer (RFC 5936 section 2.2). */

import type { ResourceRecord } from "../../dns/reply.ts";
import { Class, Opcode } from "../../dns/wire/constants.ts";
import { Flag } from "../../dns/wire/message.ts";
import type { Name } from "../../dns/wire/name.ts";
import { Opt } from "../../dns/wire/opt.ts";
import { WireError, Writer } from "../../dns/wire/wire.ts";

export interface Question {
  readonly id: number;
  readonly name: Name;
  readonly type: number;
  /** The query has an OPT record, so every message has one (RFC 6891 section 6.1.1). */
  readonly edns: boolean;
  /** Block size in octets: each message with its signature is padded to a multiple of it; 0 for no padding. */
  readonly block: number;
}

/** Octets from which a message is full: enough for good compression, and few enough for every client's buffers. */
const usualOctets = 16_000;
const largestMessage = 65_535;
/** Maximum octets without padding and signature. */
const largestOctets = largestMessage - 1024;
/** Octets that we accept over UDP, for the OPT record. */
const payload = 1232;

/** Gathers records; `add` returns a message when one is full. */
export class TransferMessages {
  readonly #question: Question;
  readonly #signature: number;
  readonly #opt = new Opt();
  /** The current message; finished messages are copies. */
  readonly #octets = new Uint8Array(largestOctets);
  #writer: Writer;
  #count = 0;
  #isFirst = true;

  /** `signature` octets stay free in each message. */
  constructor(question: Question, signature = 0) {
    this.#question = question;
    this.#signature = signature;
    this.#opt.present = question.edns;
    this.#opt.block = question.block;
    this.#writer = this.#begin();
  }

  add(record: ResourceRecord): Uint8Array | undefined {
    const before = this.#writer.at;
    const isFull = before > usualOctets;
    if (!isFull && this.#write(record)) return undefined;
    this.#writer.reset(before);
    const full = this.end();
    if (!this.#write(record)) throw new WireError("does not fit into a message");
    return full;
  }

  /** Finishes the message that holds the gathered records, and begins the next. */
  end(): Uint8Array {
    const octets = this.#withOptions(this.#writer.octets.subarray(0, this.#writer.at));
    octets[6] = this.#count >>> 8;
    octets[7] = this.#count;
    this.#isFirst = false;
    this.#count = 0;
    this.#writer = this.#begin();
    return octets;
  }

  /** RFC 5936 section 2.2.1: the question is in the first message; later ones need none. */
  #begin(): Writer {
    const { id, name, type } = this.#question;
    const writer = new Writer(this.#octets);
    const flags = Flag.QR | (Opcode.QUERY << 11) | Flag.AA;
    for (const value of [id, flags, this.#isFirst ? 1 : 0, 0, 0, 0]) writer.u16(value);
    if (!this.#isFirst) return writer;
    writer.name(name, false);
    for (const value of [type, Class.IN]) writer.u16(value);
    return writer;
  }

  /** RFC 9103 section 6.3: every message has the OPT record, so that each can be padded. */
  #withOptions(records: Uint8Array): Uint8Array {
    const opt = this.#opt;
    opt.pad(records.length + this.#signature, largestMessage);
    const octets = new Uint8Array(records.length + opt.size());
    octets.set(records);
    if (!opt.present) return octets;
    opt.compose(octets, records.length, payload, 0);
    octets[11] = 1;
    return octets;
  }

  #write({ owner, type, ttl, rdata }: ResourceRecord): boolean {
    const writer = this.#writer;
    try {
      writer.name(owner, true);
      for (const value of [type.code, Class.IN]) writer.u16(value);
      writer.u32(ttl);
      writer.u16(rdata.length);
      writer.bytes(rdata);
    } catch (error) {
      if (error instanceof WireError) return false;
      throw error;
    }
    this.#count++;
    return true;
  }
}

/** A reply that is only an RCODE, with `signature` octets free for a signature. */
export function refusalOf(question: Question, rcode: number, signature: number): Uint8Array {
  const octets = new TransferMessages(question, signature).end();
  octets[2] = octets[2]! & ~(Flag.AA >>> 8);
  octets[3] = rcode;
  return octets;
}
