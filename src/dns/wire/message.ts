/** A query, parsed in its packet into one reusable object: nothing is allocated or thrown. */
import { TypeCode } from "./constants.ts";
import { Edns } from "./edns.ts";

export const headerOctets = 12;

export const Flag = { QR: 0x8000, AA: 0x0400, TC: 0x0200, RD: 0x0100 } as const;

/**
 * `silence`: do not reply. `malformed`: reply with FORMERR, and with the question if it could be read. `empty`: valid,
 * but without a question.
 */
export type Verdict = "query" | "malformed" | "empty" | "silence";

export class Query {
  readonly edns = new Edns();
  packet: Uint8Array = new Uint8Array(0);
  /** The offset of the message in `packet`. */
  start = 0;
  id = 0;
  flags = 0;
  opcode = 0;
  /** Whether the message has one question that could be read. It starts right after the header. */
  hasQuestion = false;
  questionEnd = 0;
  /** Whether the message has a TSIG record; its contents and position are checked elsewhere. */
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
    // RFC 9619: a query has at most one question
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

  /** Returns the offset of the question's end, or -1. A pointer is invalid here, since there is no earlier name. */
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

  /** Skips records, except for an OPT record in the additional section. Returns the offset of their end, or -1. */
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
        // RFC 6891 section 6.1.1: at most one OPT record, at the root, in the additional section
        if (!additional || edns.present || at - owner !== 1) return -1;
        edns.parse(packet, at + 2, end);
      } else if (type === TypeCode.TSIG) this.isSigned = true;
      at = end;
    }
    return at;
  }
}

/** The offset of a name's end; -1 when it is cut off, has an unknown label type, or points forward. */
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
