/** Splits zone files (RFC 1035 section 5.1) into entries: octets to tokens with line numbers, in bounded memory. */
import { decimalEscape, type Token } from "../wire/presentation.ts";
import { WireError } from "../wire/wire.ts";

/** An entry of a zone file: a directive or a record. Within parentheses it may span several lines. */
export interface Entry {
  /** The number of its first line; the file begins with line 1. */
  readonly line: number;
  /** Whether the line begins with a blank: then the record has the owner of the previous record. */
  readonly ownerless: boolean;
  readonly tokens: readonly Token[];
}

/** A message about an entry, with its line number. */
export interface Fault {
  readonly line: number;
  readonly message: string;
  /** Whether lines after it may have another meaning than the file's author gave them. */
  readonly spoils?: true;
}

/** An entry that cannot be split may have been the owner of the next ones. */
export type Piece = { readonly entry: Entry } | { readonly fault: Fault; readonly ownerless: boolean };

/** The maximum octets of an entry: enough for 65535 octets of RDATA with every octet escaped. */
export const mostEntryOctets = 300_000;
/** An incomplete entry is scanned again after this number of further octets, or at the end of the file. */
const stepOctets = 65_536;

/** Reads a file in pieces of any size. `mostEntryOctets` bounds the memory. */
export class EntryReader {
  #text = "";
  #line = 1;
  #waiting: string[] = [];
  #waitingOctets = 0;
  #begun = false;

  *push(chunk: Uint8Array): Generator<Piece> {
    for (let at = 0; at < chunk.length; at += stepOctets) {
      const part = chunk.subarray(at, at + stepOctets);
      this.#waiting.push(Buffer.from(part.buffer, part.byteOffset, part.length).toString("latin1"));
      this.#waitingOctets += part.length;
      if (this.#waitingOctets >= stepOctets) yield* this.#scan(false);
    }
  }

  *end(): Generator<Piece> {
    yield* this.#scan(true);
  }

  *#scan(isEnd: boolean): Generator<Piece> {
    let text = this.#text + this.#waiting.join("");
    this.#waiting = [];
    this.#waitingOctets = 0;
    if (!this.#begun) {
      this.#begun = true;
      if (text.startsWith("\xff\xfe") || text.startsWith("\xfe\xff")) {
        throw new WireError("is in UTF-16; a zone file must be ASCII or UTF-8");
      }
      if (text.startsWith("\xef\xbb\xbf")) text = text.slice(3);
    }
    let begin = 0;
    while (begin < text.length) {
      const line = this.#line;
      const scan = new EntryScan(text, begin, isEnd);
      const fault = scan.run();
      if (fault === "incomplete") {
        if (text.length - begin <= mostEntryOctets) break;
        throw new WireError(`line ${line}: an entry is longer than ${mostEntryOctets} octets`);
      }
      const ownerless = isBlank(text.charCodeAt(begin));
      begin = scan.at;
      this.#line += scan.lines;
      if (fault !== "") yield { fault: { line: line + scan.faultLines, message: fault, ...scan.spoils }, ownerless };
      else if (scan.tokens.length > 0) yield { entry: { line, ownerless, tokens: scan.tokens } };
    }
    this.#text = text.slice(begin);
  }
}

const code = {
  tab: 9,
  newline: 10,
  quote: 0x22,
  open: 0x28,
  close: 0x29,
  semicolon: 0x3b,
  equals: 0x3d,
  backslash: 0x5c,
};
const isBlank = (char: number) => char === 0x20 || char === code.tab;
const isCarriageReturn = (char: number) => char === 13;

/** Characters that end an unquoted token. */
const ends = new Uint8Array(256);
for (const char of [0x20, 9, 10, 13, 0x22, 0x28, 0x29, 0x3b]) ends[char] = 1;

/** The scan of one entry, from its first character to the end of its last line. */
class EntryScan {
  readonly tokens: Token[] = [];
  at: number;
  /** Line ends in the octets that were scanned. */
  lines = 0;
  /** Line ends before the fault. */
  faultLines = 0;
  spoils: Pick<Fault, "spoils"> = {};
  readonly #text: string;
  readonly #isEnd: boolean;
  #depth = 0;
  #openLines = 0;

  constructor(text: string, at: number, isEnd: boolean) {
    this.#text = text;
    this.at = at;
    this.#isEnd = isEnd;
  }

  /** Returns "" for a complete entry, "incomplete", or a fault, after which the rest of the line is skipped. */
  run(): string {
    const text = this.#text;
    while (this.at < text.length) {
      const char = text.charCodeAt(this.at);
      if (isBlank(char) || isCarriageReturn(char)) {
        this.at += 1;
      } else if (char === code.newline) {
        this.at += 1;
        this.lines += 1;
        if (this.#depth === 0) return "";
      } else if (char === code.semicolon) {
        const end = text.indexOf("\n", this.at);
        this.at = end < 0 ? text.length : end;
      } else if (char === code.open) {
        if (this.#depth === 0) this.#openLines = this.lines;
        this.#depth += 1;
        this.at += 1;
      } else if (char === code.close) {
        if (this.#depth === 0) return this.#fail('has a ")" without "("');
        this.#depth -= 1;
        this.at += 1;
      } else {
        const wrong = this.#token(char);
        if (wrong === "incomplete") return wrong;
        if (wrong !== "") return this.#fail(wrong);
      }
    }
    if (!this.#isEnd) return "incomplete";
    if (this.#depth === 0) return "";
    this.faultLines = this.#openLines;
    this.spoils = { spoils: true };
    return 'has a "(" without ")"';
  }

  #fail(what: string): string {
    this.faultLines = this.lines;
    const end = this.#text.indexOf("\n", this.at);
    if (end < 0 && !this.#isEnd) return "incomplete";
    this.at = end < 0 ? this.#text.length : end + 1;
    if (end >= 0) this.lines += 1;
    return what;
  }

  #token(first: number): string {
    return first === code.quote ? this.#quoted(this.at + 1, this.at + 1, true) : this.#plain();
  }

  #plain(): string {
    const text = this.#text;
    const start = this.at;
    let at = start;
    let seen = 0;
    while (at < text.length) {
      const char = text.charCodeAt(at);
      if (char === code.backslash) {
        if (isLineEnd(text.charCodeAt(at + 1))) return "has a backslash at the end of a line";
        seen |= text.charCodeAt(at + 1);
        at += 2;
        continue;
      }
      if (char === code.quote && at > start && text.charCodeAt(at - 1) === code.equals) {
        // RFC 9460 section 2.1: the value of key="value" may be quoted
        return this.#quoted(start, at + 1, false);
      }
      if (ends[char] === 1) break;
      if (char < 0x20 || char === 0x7f)
        return `has the control character ${decimalEscape(char)}, which must be escaped`;
      seen |= char;
      at += 1;
    }
    if (at >= text.length && !this.#isEnd) return "incomplete";
    if (at > text.length) return "has a backslash at the end of the file";
    const token = text.slice(start, at);
    this.tokens.push({ text: seen > 0x7f ? escaped(token) : token, quoted: false });
    this.at = at;
    return "";
  }

  /** Scans a token with its opening quote just before `open`; `whole` if the quote is its first character. */
  #quoted(start: number, open: number, whole: boolean): string {
    const text = this.#text;
    let at = open;
    for (;;) {
      if (at >= text.length) return this.#isEnd ? "has a quote that does not end" : "incomplete";
      const char = text.charCodeAt(at);
      if (char === code.quote) break;
      if (char === code.newline) return "has a quote that does not end on its line";
      if (char === 0) return "has the control character \\000, which must be escaped";
      at += char === code.backslash && text.charCodeAt(at + 1) !== code.newline ? 2 : 1;
    }
    const token = whole ? text.slice(open, at) : text.slice(start, open - 1) + text.slice(open, at);
    this.tokens.push({ text: escaped(token), quoted: whole });
    this.at = at + 1;
    return "";
  }
}

const isLineEnd = (char: number) => char === code.newline || isCarriageReturn(char);

/** Writes octets outside ASCII as \DDD, so that text in any encoding keeps its octets. */
const escaped = (text: string): string =>
  /[\x80-\xff]/.test(text)
    ? text.replace(/\\[\s\S]|[\x80-\xff]/g, (found) => {
        const octet = found.charCodeAt(found.length - 1);
        return octet < 0x80 ? found : decimalEscape(octet);
      })
    : text;
