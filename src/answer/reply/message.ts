/** Composes a reply in the buffer from which it is sent: the question as received, complete RRsets, and OPT. */
import { Class, Rcode, TypeCode } from "../../dns/wire/constants.ts";
import { Flag, headerOctets, type Query } from "../../dns/wire/message.ts";
import { lengthOfName } from "../../dns/wire/name.ts";
import { Opt } from "../../dns/wire/opt.ts";
import type { NameKey } from "../image/memory/key.ts";
import {
  recordLength,
  recordRdata,
  recordTtl,
  rrsetNameAtMask,
  rrsetNameAtShift,
  rrsetNames,
} from "../image/memory/layout.ts";
import type { RrsetView } from "../image/rrset/view.ts";
import { Compression } from "./compression.ts";

export const Section = { answer: 0, authority: 1, additional: 2 } as const;

/** For `add`: records have their own TTL, or the TTL of their view if it has one. */
export const ownTtl = -1;

/** One object per worker, reset by `begin` for each query. */
export class Message {
  rcode: number = Rcode.NOERROR;
  authoritative = false;
  /** Required data did not fit: the reply has TC. */
  truncated = false;
  /** The OPT record. Call `opt.begin` before `begin`, which reserves room for the record. */
  readonly opt = new Opt();
  #answers = 0;
  #authorities = 0;
  #additionals = 0;
  readonly #compression = new Compression();
  /** Holds a name from RDATA while the name is written. */
  readonly #name: NameKey;
  #question: NameKey;
  #isPrimed = false;
  /** Offset of the first name in the RDATA of each record of the last RRset added; 0 when it is not known. */
  readonly #targets = new Uint16Array(mostTargets);
  #targetCount = 0;
  #out: Uint8Array = new Uint8Array(0);
  #start = 0;
  #at = 0;
  #limit = 0;
  #size = 0;

  /** `key` is any key of the image; it takes the place of the question's key until `ask` is called. */
  constructor(key: NameKey) {
    this.#name = key;
    this.#question = key;
  }

  /** Starts a reply at `at` with at most `size` octets, including its OPT record. */
  begin(query: Query, out: Uint8Array, at: number, size: number): void {
    this.rcode = Rcode.NOERROR;
    this.authoritative = false;
    this.truncated = false;
    this.#answers = 0;
    this.#authorities = 0;
    this.#additionals = 0;
    this.#isPrimed = false;
    this.#out = out;
    this.#start = at;
    this.#at = at + headerOctets;
    this.#size = size;
    this.#limit = at + size - this.opt.size();
    if (query.hasQuestion) this.#copy(query.packet, query.start + headerOctets, query.questionEnd);
  }

  /** Sets the key of the question's name, which is already in the message. */
  ask(question: NameKey): void {
    this.#question = question;
  }

  /** Adds an RRset with the owner `owner` from `label` on; if it does not fit, adds nothing and returns false. */
  add(section: number, rrset: RrsetView, owner: NameKey, label: number, ttl: number): boolean {
    const before = this.#at;
    this.#targetCount = 0;
    const shown = ttl === ownTtl ? rrset.ttl : ttl;
    const isReady = owner === this.#question && label === 0 && shown === ownTtl && (rrset.flags & rrsetNames) === 0;
    const fits = isReady ? this.#copy(rrset.octets, rrset.at, rrset.end) : this.#records(rrset, owner, label, shown);
    if (fits) this.#counted(section, rrset.count);
    else this.#rewind(before);
    return fits;
  }

  /** Offset of the first name in the RDATA of a record of the last RRset added; 0 when it is not known. */
  target(record: number): number {
    return record < this.#targetCount ? this.#targets[record]! : 0;
  }

  /** Adds an RRset without names in its RDATA, with the name at `offset` as owner; `target` stays the same. */
  addOwned(section: number, rrset: RrsetView, offset: number): boolean {
    const before = this.#at;
    const { octets } = rrset;
    for (let at = rrset.at; at < rrset.end; ) {
      const end = at + recordRdata + read16(octets, at + recordLength);
      if (!this.#write16(0xc000 | offset) || !this.#copy(octets, at + 2, end)) {
        this.#rewind(before);
        return false;
      }
      if (rrset.ttl !== ownTtl) write32(this.#out, this.#at - (end - at) + recordTtl, rrset.ttl);
      at = end;
    }
    this.#counted(section, rrset.count);
    return true;
  }

  /** Adds a synthesized CNAME record, which no zone has. */
  addCname(owner: NameKey, ttl: number, target: NameKey): boolean {
    const before = this.#at;
    const fits = this.#owner(owner, 0) && this.#fixed(TypeCode.CNAME, ttl) && this.#rdataName(target);
    if (fits) this.#answers++;
    else this.#rewind(before);
    return fits;
  }

  /** Writes header and OPT; returns the message's length. `payload` is the UDP payload size that we accept. */
  end(query: Query, payload: number): number {
    const out = this.#out;
    const { opt } = this;
    const flags =
      Flag.QR |
      (query.opcode << 11) |
      (this.authoritative ? Flag.AA : 0) |
      (this.truncated ? Flag.TC : 0) |
      (query.flags & Flag.RD) |
      (this.rcode & 15);
    this.#header(query.id, flags, query.hasQuestion ? 1 : 0, opt.present ? 1 : 0);
    if (opt.present) {
      const end = this.#start + this.#size;
      // after a long CNAME chain, the extended error may not fit
      if (opt.extendedError >= 0 && this.#at + opt.size() > end) opt.extendedError = -1;
      opt.pad(this.#at - this.#start, this.#size);
      this.#at = opt.compose(out, this.#at, payload, this.rcode);
    }
    return this.#at - this.#start;
  }

  #counted(section: number, records: number): void {
    if (section === Section.answer) this.#answers += records;
    else if (section === Section.authority) this.#authorities += records;
    else this.#additionals += records;
  }

  #header(id: number, flags: number, questions: number, opts: number): void {
    const out = this.#out;
    const at = this.#start;
    write16(out, at, id);
    write16(out, at + 2, flags);
    write16(out, at + 4, questions);
    write16(out, at + 6, this.#answers);
    write16(out, at + 8, this.#authorities);
    write16(out, at + 10, this.#additionals + opts);
  }

  #records(rrset: RrsetView, owner: NameKey, label: number, ttl: number): boolean {
    const { octets, flags } = rrset;
    const hasNames = (flags & rrsetNames) !== 0;
    for (let at = rrset.at; at < rrset.end; ) {
      const rdata = at + recordRdata;
      const end = rdata + read16(octets, at + recordLength);
      const ready = hasNames ? rdata : end;
      if (!this.#owner(owner, label) || !this.#copy(octets, at + 2, ready)) return false;
      const start = this.#at - (ready - rdata);
      if (ttl !== ownTtl) write32(this.#out, start - recordRdata + recordTtl, ttl);
      if (hasNames) {
        if (!this.#rdata(rrset, rdata, end)) return false;
        write16(this.#out, start - 2, this.#at - start);
      }
      at = end;
    }
    return true;
  }

  /** Writes RDATA from `at` up to `end`, and compresses its names if the type allows that. */
  #rdata(rrset: RrsetView, at: number, end: number): boolean {
    const { octets, flags } = rrset;
    let from = at;
    for (let names = flags & rrsetNames; names > 0; names--) {
      const name = from === at ? at + ((flags >>> rrsetNameAtShift) & rrsetNameAtMask) : from;
      if (!this.#copy(octets, from, name)) return false;
      const offset = this.#at - this.#start;
      const length = lengthOfName(octets, name);
      if (!this.#writeNear(octets, name, length)) {
        this.#name.load(octets, name);
        if (!this.#writeName(this.#name, 0)) return false;
      }
      if (from === at) this.#noteTarget(offset);
      from = name + length;
    }
    return this.#copy(octets, from, end);
  }

  #owner(owner: NameKey, label: number): boolean {
    if (owner === this.#question && label < owner.labels) {
      return this.#write16(0xc000 | (headerOctets + owner.starts[label]!));
    }
    return this.#writeName(owner, label);
  }

  /** Writes type, class and TTL, and reserves two octets for the length. */
  #fixed(type: number, ttl: number): boolean {
    const at = this.#at;
    if (!this.#take(recordRdata - 2)) return false;
    write16(this.#out, at, type);
    write16(this.#out, at + 2, Class.IN);
    write32(this.#out, at + 4, ttl);
    return true;
  }

  #rdataName(name: NameKey): boolean {
    const start = this.#at;
    if (!this.#writeName(name, 0)) return false;
    write16(this.#out, start - 2, this.#at - start);
    return true;
  }

  #writeName(key: NameKey, label: number): boolean {
    const compression = this.#compression;
    if (!this.#isPrimed) this.#prime();
    key.fold(0, key.labels);
    for (let i = label; i < key.labels; i++) {
      const offset = compression.find(key, i);
      if (offset >= 0) return this.#write16(0xc000 | offset);
      compression.remember(key, i, this.#at - this.#start);
      const at = key.sourceAt + key.starts[i]!;
      if (!this.#copy(key.source, at, at + 1 + key.source[at]!)) return false;
    }
    if (!this.#take(1)) return false;
    this.#out[this.#at - 1] = 0;
    return true;
  }

  /**
   * Writes a name that is at most one label below the question's name or an ancestor of it, as most names are, without a
   * search among all names; false if the name is not so near, or does not fit.
   */
  #writeNear(octets: Uint8Array, name: number, length: number): boolean {
    const { starts, labels, length: asked } = this.#question;
    const below = octets[name]! + 1;
    const there = asked - (length - below);
    let label = 0;
    while (label < labels && starts[label]! < there) label++;
    if (label === labels || starts[label] !== there || !this.#isAsked(octets, name + below, there, asked)) return false;
    if (label > 0 && starts[label - 1] === there - below && this.#isAsked(octets, name, there - below, there)) {
      return this.#write16(0xc000 | (headerOctets + there - below));
    }
    const before = this.#at;
    if (this.#copy(octets, name, name + below) && this.#write16(0xc000 | (headerOctets + there))) return true;
    this.#at = before;
    return false;
  }

  /** Whether the question's name, in its received spelling, has these octets from `there` up to `end`. */
  #isAsked(octets: Uint8Array, from: number, there: number, end: number): boolean {
    const asked = this.#start + headerOctets;
    for (let i = there, at = from; i < end; i++, at++) if (this.#out[asked + i] !== octets[at]) return false;
    return true;
  }

  /** Stores the offset of a written name, or of the name that it points to. */
  #noteTarget(offset: number): void {
    if (this.#targetCount === mostTargets) return;
    const first = read16(this.#out, this.#start + offset);
    const target = first >= 0xc000 ? first & 0x3fff : offset;
    this.#targets[this.#targetCount++] = target > 0x3fff ? 0 : target;
  }

  /** Stores the offsets of the question's name, the first name to which other names can point. */
  #prime(): void {
    const question = this.#question;
    this.#isPrimed = true;
    this.#compression.begin(this.#out, this.#start);
    question.fold(0, question.labels);
    for (let i = 0; i < question.labels; i++) {
      this.#compression.remember(question, i, headerOctets + question.starts[i]!);
    }
  }

  #rewind(at: number): void {
    this.#at = at;
    if (this.#isPrimed) this.#compression.cut(at - this.#start);
  }

  #write16(value: number): boolean {
    if (!this.#take(2)) return false;
    write16(this.#out, this.#at - 2, value);
    return true;
  }

  #copy(source: Uint8Array, from: number, to: number): boolean {
    let at = this.#at;
    if (!this.#take(to - from)) return false;
    const out = this.#out;
    for (let i = from; i < to; i++) out[at++] = source[i]!;
    return true;
  }

  #take(octets: number): boolean {
    if (this.#at + octets > this.#limit) return false;
    this.#at += octets;
    return true;
  }
}

/** Maximum number of stored targets of an RRset. */
const mostTargets = 64;

const read16 = (octets: Uint8Array, at: number) => (octets[at]! << 8) | octets[at + 1]!;

function write16(out: Uint8Array, at: number, value: number): void {
  out[at] = value >>> 8;
  out[at + 1] = value;
}

function write32(out: Uint8Array, at: number, value: number): void {
  write16(out, at, value >>> 16);
  write16(out, at + 2, value);
}
