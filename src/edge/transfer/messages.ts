/** Records packed into the messages of a transfer (RFC 5936 section 2.2). */
import { Class, Opcode } from "../../dns/constants.ts";
import { Flag } from "../../dns/message.ts";
import type { Name } from "../../dns/name.ts";
import type { ResourceRecord } from "../../dns/reply.ts";
import { WireError, Writer } from "../../dns/wire.ts";

export interface Question {
  readonly id: number;
  readonly name: Name;
  readonly type: number;
}

/** Large enough for compression to pay, small enough for every client's buffers. */
const usualOctets = 16_000;
/** Left free for a signature. */
const largestOctets = 65_535 - 512;

/** Gathers records; `add` returns a message when one is full. */
export class TransferMessages {
  readonly #question: Question;
  #writer: Writer;
  #count = 0;
  #isFirst = true;

  constructor(question: Question) {
    this.#question = question;
    this.#writer = this.#begin();
  }

  add(record: ResourceRecord): Uint8Array | undefined {
    const before = this.#writer.at;
    const isLate = before > usualOctets;
    if (!isLate && this.#write(record)) return undefined;
    this.#writer.reset(before);
    const full = this.end();
    if (!this.#write(record)) throw new WireError("does not fit into a message");
    return full;
  }

  /** The message with what is gathered; the next one begins. */
  end(): Uint8Array {
    const writer = this.#writer;
    const octets = writer.octets.slice(0, writer.at);
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
    const writer = new Writer(new Uint8Array(largestOctets), 0, largestOctets);
    const flags = Flag.QR | (Opcode.QUERY << 11) | Flag.AA;
    for (const value of [id, flags, this.#isFirst ? 1 : 0, 0, 0, 0]) writer.u16(value);
    if (!this.#isFirst) return writer;
    writer.name(name, false);
    for (const value of [type, Class.IN]) writer.u16(value);
    return writer;
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

/** A reply that is only an RCODE. */
export function refusalOf(question: Question, rcode: number): Uint8Array {
  const octets = new TransferMessages(question).end();
  octets[2] = octets[2]! & ~(Flag.AA >>> 8);
  octets[3] = rcode;
  return octets;
}
