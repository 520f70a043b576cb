/**
 * Reads zone files as records: follows directives, makes names absolute, and fills in TTLs and classes (RFC 1035
 * section 5, RFC 2308 section 4, RFC 3597).
 */

import { assertSound, scanRdata } from "../rdata/codec.ts";
import { scanSeconds } from "../rdata/numbers.ts";
import { isGeneric } from "../rdata/opaque.ts";
import type { RecordType } from "../rdata/record-type.ts";
import type { ResourceRecord } from "../reply.ts";
import { typeCoded, typeNamed } from "../type-names.ts";
import { types } from "../types.ts";
import { TypeCode } from "../wire/constants.ts";
import { type Name, printName, scanName } from "../wire/name.ts";
import { show, type Token, Tokens } from "../wire/presentation.ts";
import { WireError } from "../wire/wire.ts";
import { type Entry, EntryReader, type Fault, type Piece } from "./entries.ts";
import { generate, rdataTokens } from "./generate.ts";

export interface FileRecord extends ResourceRecord {
  readonly line: number;
}

export type FileItem = { readonly record: FileRecord } | { readonly fault: Fault } | { readonly warning: Fault };

/** Reads a zone file in pieces. An invalid entry yields a fault, and reading continues after it. */
export class ZoneFileReader {
  readonly #entries = new EntryReader();
  #origin: Name;
  #owner: Name | undefined;
  /** The value of the last $TTL, in seconds; `#last` is the TTL of the last record with a TTL of its own. */
  #default: number | undefined;
  #last: number | undefined;
  /** The lines that $GENERATE has made. */
  #generated = 0;

  /** The TTL of records for which the file gives none; a fault by default. */
  readonly #usual: number | undefined;

  constructor(origin: Name, { ttl }: { readonly ttl?: number } = {}) {
    this.#origin = origin;
    this.#usual = ttl;
  }

  *push(octets: Uint8Array): Generator<FileItem> {
    yield* this.#guarded(this.#entries.push(octets));
  }

  /** Reads the rest, at the end of the file. */
  *end(): Generator<FileItem> {
    yield* this.#guarded(this.#entries.end());
  }

  /** Throws a WireError when the rest of the file cannot be read. */
  *#guarded(pieces: Iterable<Piece>): Generator<FileItem> {
    const found: FileItem[] = [];
    for (const piece of pieces) {
      if ("fault" in piece) {
        if (!piece.ownerless) this.#owner = undefined;
        yield { fault: piece.fault };
        continue;
      }
      try {
        this.#read(piece.entry, found);
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        // nothing of a bad entry is taken
        found.length = 0;
        found.push({ fault: { line: piece.entry.line, message: error.message, ...spoiledBy(piece.entry) } });
      }
      for (const item of found) yield item;
      found.length = 0;
    }
  }

  #read(entry: Entry, found: FileItem[]): void {
    const first = entry.tokens[0]!;
    if (!entry.ownerless && !first.quoted && first.text.startsWith("$")) {
      this.#direct(entry, first.text.toUpperCase(), found);
      return;
    }
    const owner = entry.ownerless ? this.#owner : this.#ownerOf(first);
    if (!owner) throw new WireError("the record has no owner, and no valid owner precedes it");
    if (!entry.ownerless && first.text.includes("\\") && owner.some((octet) => octet > 0x7f)) {
      found.push({ warning: { line: entry.line, message: `${printName(owner)} ${notAscii}` } });
    }
    this.#record(entry.line, owner, entry.tokens, entry.ownerless ? 0 : 1, found);
  }

  #ownerOf({ text }: Token): Name {
    this.#owner = undefined;
    this.#owner = scanName(text, this.#origin);
    return this.#owner;
  }

  #direct({ line, tokens }: Entry, word: string, found: FileItem[]): void {
    const [, argument, more] = tokens;
    switch (word) {
      case "$ORIGIN":
        if (!argument || more) throw new WireError("$ORIGIN needs one name");
        this.#origin = scanName(argument.text, this.#origin);
        return;
      case "$TTL": {
        if (!argument || more) throw new WireError("$TTL needs one number of seconds");
        this.#default = readTtl(argument.text);
        return;
      }
      case "$GENERATE":
        for (const { owner, rest } of generate(tokens.slice(1), this.#generated)) {
          this.#generated++;
          this.#record(line, scanName(owner, this.#origin), rest, 0, found, rdataTokens);
        }
        return;
      case "$INCLUDE":
        throw new WireError("$INCLUDE is not supported: put the lines of the other file here");
      default:
        throw new WireError(`${show(tokens[0]!.text)} is not a directive`);
    }
  }

  /** `from` is the index of the first token after the owner: the TTL, the class or the type. */
  #record(
    line: number,
    owner: Name,
    tokens: readonly Token[],
    from: number,
    found: FileItem[],
    rdataOf = (all: readonly Token[], at: number) => new Tokens(all, at),
  ): void {
    const { ttl, type, at } = readHead(tokens, from);
    const reason = leftOut.get(type.code);
    if (reason !== undefined) {
      const message = `${tokens[at - 1]!.text.toUpperCase()} records are left out: ${reason}`;
      found.push({ warning: { line, message } });
      return;
    }
    if (at === tokens.length && type.name !== "APL") {
      throw new WireError(`the ${type.name} record at ${printName(owner)} has no RDATA`);
    }
    const rdata = scanRdata(type, rdataOf(tokens, at), this.#origin);
    assertSound(type, rdata);
    const { seconds, warning } = this.#ttlOf(ttl, type, rdata);
    if (warning) found.push({ warning: { line, message: warning } });
    found.push({ record: { line, owner, ttl: seconds, type, rdata } });
  }

  #ttlOf(written: number | undefined, type: RecordType, rdata: Uint8Array): { seconds: number; warning?: string } {
    if (written !== undefined) {
      this.#last = written;
      return { seconds: written };
    }
    const known = this.#default ?? this.#last;
    if (known !== undefined) return { seconds: known };
    if (type !== types.SOA) {
      if (this.#usual === undefined)
        throw new WireError("the record has no TTL, and there is neither $TTL nor an earlier TTL");
      return { seconds: this.#usual, warning: `no TTL is given: ${this.#usual} is used` };
    }
    const minimum = Buffer.from(rdata.buffer, rdata.byteOffset).readUInt32BE(rdata.length - 4);
    this.#last = Math.min(minimum, highestTtl);
    return { seconds: this.#last, warning: "no TTL is given: the SOA record's minimum is used" };
  }
}

/** Tells whether a bad entry affects the entries after it: names and TTLs depend on these directives. */
const spoiledBy = ({ ownerless, tokens: [first] }: Entry): Pick<Fault, "spoils"> =>
  !ownerless && /^\$(?:ORIGIN|TTL)$/i.test(first!.text) ? { spoils: true } : {};

/** RFC 5890 section 2.3.2.1. */
const notAscii = "has octets outside ASCII: an international name is written with A-labels (xn--...)";

interface Head {
  readonly ttl: number | undefined;
  readonly type: RecordType;
  /** The index of the first token of the RDATA. */
  readonly at: number;
}

/** Reads TTL and class, which are optional and in either order, and the type. */
function readHead(tokens: readonly Token[], from: number): Head {
  let ttl: number | undefined;
  let hasClass = false;
  for (let at = from; at < tokens.length; at++) {
    const { text, quoted } = tokens[at]!;
    if (quoted) throw new WireError(`${show(text)} is quoted; a TTL, class or type must not be`);
    if (ttl === undefined && isTtl(text)) ttl = readTtl(text);
    else if (!hasClass && isClass(text)) hasClass = true;
    else return { ttl, type: readType(tokens, at), at: at + 1 };
  }
  throw new WireError("the record has no type");
}

/** Whether a text has the form of a TTL; the test of the first character avoids the pattern for most words. */
const isTtl = (text: string) => text.charCodeAt(0) <= 0x39 && /^(?:\d+|(?:\d+[wdhms])+)$/i.test(text);

/** RFC 2181 section 8. */
const highestTtl = 0x7fffffff;

function readTtl(text: string): number {
  const seconds = isTtl(text) ? scanSeconds(text) : Number.NaN;
  if (seconds <= highestTtl) return seconds;
  throw new WireError(`${show(text)} is not a TTL: 0 to ${highestTtl} seconds, or a time such as 1h30m`);
}

function isClass(text: string): boolean {
  if (text === "IN" || /^(?:IN|CLASS1)$/i.test(text)) return true;
  if (/^(?:CH|CS|HS|CLASS\d+)$/i.test(text)) throw new WireError(`class ${text} is not supported, only IN`);
  return false;
}

const fromSigning = "signing the zone creates them again";
const { SIG, NXT, RRSIG, NSEC, NSEC3, NSEC3PARAM, DNSKEY, CDS, CDNSKEY, ZONEMD } = TypeCode;

/** Types whose records would be wrong in the imported zone, each with the reason. */
const leftOut = new Map<number, string>([
  ...[SIG, NXT, RRSIG, NSEC, NSEC3, NSEC3PARAM, DNSKEY, CDS, CDNSKEY].map((code) => [code, fromSigning] as const),
  [ZONEMD, "the digest belongs to another serial"],
]);

const codes = new Map<string, number>(Object.entries(TypeCode));

/** Also accepts types without a presentation format here: their RDATA must be in the generic form of RFC 3597. */
function readType(tokens: readonly Token[], at: number): RecordType {
  const { text } = tokens[at]!;
  const type = typeNamed(text);
  if (type) return type;
  const code = codes.get(text.toUpperCase());
  if (code === undefined) throw new WireError(`record type ${show(text)} is not known`);
  const rdata = tokens[at + 1];
  if (!leftOut.has(code) && !(rdata && isGeneric(rdata.text))) {
    throw new WireError(`RDATA of type ${text.toUpperCase()} can only be read in the form "\\# length hex"`);
  }
  return typeCoded(code);
}
