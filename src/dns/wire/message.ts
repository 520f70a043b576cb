/** A query, parsed in its packet into one reusable object: nothing is allocated or thrown. */
import { TypeCode } from "./constants.ts";
import { Edns } from "./edns.ts";

export const headerOctets = 12;

export const Flag = { QR: 0x8000, AA: 0x0400, TC: 0x0200, RD: 0x0100 } as const;

/**
 * `silence`: not to be answered at all. `malformed`: FORMERR, with the question when it could be read. `empty`: sound,
 * but without a question.
 */
export type Verdict = "query" | "malformed" | "empty" | "silence";

export class Query {
  readonly edns = new Edns();
  packet: Uint8Array = new Uint8Array(0);
  /** Where the message starts in `packet`. */
  start = 0;
  id = 0;
  flags = 0;
  opcode = 0;
  /** Whether there is one question, and it could be read; it starts right after the header. */
  hasQuestion = false;
  questionEnd = 0;
  /** Whether some record is a TSIG; its contents and position are checked elsewhere. */
  isSigned = false;
  qtype = 0;
  qclass = 0;

  /** Reads the message in `packet` from `from` up to `to`. Octets after the announced records are ignored. */
  parse(packet: Uint8Array, from: number, to: number): Verdict {
    this.packet = packet;
    this.start = from;
    this.hasQuestion = false;
    this.isSigned = false;
    this.edns.reset();
    if (to - from < headerOctets) return "silence";
    this.id = u16(packet, from);
    this.flags = u16(packet, from + 2);
    this.opcode = (this.flags >>> 11) & 15;
    if (this.flags & Flag.QR) return "silence";
    const questions = u16(packet, from + 4);
    // RFC 9619: there is nothing to answer to several questions
    if (questions > 1) return "malformed";
    let at = from + headerOctets;
    if (questions === 1) {
      at = this.#question(at, to);
      if (at < 0) return "malformed";
    }
    at = this.#records(at, to, u16(packet, from + 6) + u16(packet, from + 8), false);
    if (at >= 0) at = this.#records(at, to, u16(packet, from + 10), true);
    if (at < 0) return "malformed";
    return questions === 0 ? "empty" : "query";
  }

  /** Returns where the question ends, or -1. No pointer is valid in it, since no name comes before. */
  #question(at: number, to: number): number {
    const { packet } = this;
    let end = at;
    for (let size = -1; size !== 0; end += size + 1) {
      if (end >= to) return -1;
      size = packet[end]!;
      if (size > 63) return -1;
    }
    if (end - at > 255 || end + 4 > to) return -1;
    this.qtype = u16(packet, end);
    this.qclass = u16(packet, end + 2);
    this.hasQuestion = true;
    this.questionEnd = end + 4;
    return end + 4;
  }

  /** Passes over records, of which only OPT in the additional section is for us. Returns where they end, or -1. */
  #records(from: number, to: number, count: number, additional: boolean): number {
    const { packet, edns } = this;
    let at = from;
    for (let i = 0; i < count; i++) {
      const owner = at;
      at = skipName(packet, at, to, this.start);
      if (at < 0 || at + 10 > to) return -1;
      const type = u16(packet, at);
      const end = at + 10 + u16(packet, at + 8);
      if (end > to) return -1;
      if (type === TypeCode.OPT) {
        // RFC 6891 section 6.1.1: one, of the root, in the additional section
        if (!additional || edns.present || at - owner !== 1) return -1;
        edns.parse(packet, at + 2, end);
      } else if (type === TypeCode.TSIG) this.isSigned = true;
      at = end;
    }
    return at;
  }
}

/** Where a name ends in its place; -1 when it is cut off, of an unknown label type, or points forward. */
function skipName(octets: Uint8Array, from: number, to: number, start: number): number {
  let at = from;
  for (;;) {
    if (at >= to) return -1;
    const size = octets[at]!;
    if (size === 0) return at - from < 255 ? at + 1 : -1;
    if (size >= 0xc0) return at + 2 <= to && start + (u16(octets, at) & 0x3fff) < at ? at + 2 : -1;
    if (size > 63) return -1;
    at += size + 1;
  }
}

const u16 = (octets: Uint8Array, at: number) => (octets[at]! << 8) | octets[at + 1]!;
