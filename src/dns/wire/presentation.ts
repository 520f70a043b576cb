/** Presentation format of RFC 1035 section 5.1: splits lines into tokens, reads and writes escapes. */
import { WireError } from "./wire.ts";

export interface Token {
  /** The token as written, with escapes but without enclosing quotes. */
  readonly text: string;
  readonly quoted: boolean;
}

/** A value for an error message: quoted, escaped and at most 80 characters long. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** Returns the tokens of one entry, in order. */
export class Tokens {
  readonly #tokens: readonly Token[];
  #at: number;

  constructor(tokens: readonly Token[], at = 0) {
    this.#tokens = tokens;
    this.#at = at;
  }

  get left(): number {
    return this.#tokens.length - this.#at;
  }

  peek(): Token | undefined {
    return this.#tokens[this.#at];
  }

  next(): Token {
    const token = this.#tokens[this.#at];
    if (!token) throw new WireError("is missing");
    this.#at += 1;
    return token;
  }

  rest(): readonly Token[] {
    const rest = this.#tokens.slice(this.#at);
    this.#at = this.#tokens.length;
    return rest;
  }
}

/** Splits an entry of a zone file into tokens at blanks. `;` begins a comment; within parentheses, line ends are blanks. */
export function tokenize(line: string): Tokens {
  const tokens: Token[] = [];
  let depth = 0;
  let at = 0;
  while (at < line.length) {
    const char = line[at]!;
    if (isLineEnd(char) && depth === 0) throw new WireError("runs over several lines without parentheses");
    if (isBlank(char) || isLineEnd(char)) {
      at += 1;
    } else if (char === ";") {
      while (at < line.length && !isLineEnd(line[at]!)) at += 1;
    } else if (char === "(") {
      depth += 1;
      at += 1;
    } else if (char === ")") {
      if (--depth < 0) throw new WireError('has a ")" without "("');
      at += 1;
    } else {
      const { token, end } = char === '"' ? quotedToken(line, at) : plainToken(line, at);
      tokens.push(token);
      at = end;
    }
  }
  if (depth > 0) throw new WireError('has a "(" without ")"');
  return new Tokens(tokens);
}

const isBlank = (char: string) => char === " " || char === "\t";
const isLineEnd = (char: string) => char === "\n" || char === "\r";
const endsPlainToken = (char: string) => isBlank(char) || isLineEnd(char) || ";()".includes(char);

function quotedToken(line: string, start: number): { token: Token; end: number } {
  let at = start + 1;
  while (at < line.length && line[at] !== '"') at += line[at] === "\\" ? 2 : 1;
  if (at >= line.length) throw new WireError("has a quote that does not end");
  return { token: { text: line.slice(start + 1, at), quoted: true }, end: at + 1 };
}

function plainToken(line: string, start: number): { token: Token; end: number } {
  let at = start;
  while (at < line.length && !endsPlainToken(line[at]!)) {
    at += line[at] === "\\" ? 2 : 1;
    // RFC 9460 section 2.1: the value of key="value" may be quoted
    if (line[at] === '"' && line[at - 1] === "=") {
      const value = quotedToken(line, at);
      return { token: { text: line.slice(start, at) + value.token.text, quoted: false }, end: value.end };
    }
  }
  return { token: { text: line.slice(start, at), quoted: false }, end: Math.min(at, line.length) };
}

const encoder = new TextEncoder();

/** Decodes \DDD and \X; characters outside ASCII become UTF-8. */
export function unescapeText(text: string): Uint8Array {
  if (!text.isWellFormed()) throw new WireError(`${show(text)} is not valid Unicode text`);
  if (!text.includes("\\")) return encoder.encode(text);
  const octets: number[] = [];
  for (let at = 0; at < text.length; ) {
    const char = text[at]!;
    if (char === "\\") {
      const { octet, size } = escapeAt(text, at);
      octets.push(octet);
      at += size;
    } else {
      const point = String.fromCodePoint(text.codePointAt(at)!);
      octets.push(...encoder.encode(point));
      at += point.length;
    }
  }
  return Uint8Array.from(octets);
}

/** The octet of the escape at `at`, and the number of its characters. */
export function escapeAt(text: string, at: number): { octet: number; size: number } {
  const next = text.charCodeAt(at + 1);
  if (next >= 0x30 && next <= 0x39) {
    const digits = text.slice(at + 1, at + 4);
    const octet = /^\d{3}$/.test(digits) ? Number(digits) : 256;
    if (octet > 255) throw new WireError(`${show(text)} has an escape that is not \\000 to \\255`);
    return { octet, size: 4 };
  }
  // NaN when the text ends here
  if (!(next < 0x80)) throw new WireError(`${show(text)} has a backslash that escapes nothing`);
  return { octet: next, size: 2 };
}

/** An octet as \DDD. */
export const decimalEscape = (octet: number) => `\\${String(octet).padStart(3, "0")}`;

/** A character-string in quotes. */
export function quote(octets: Uint8Array): string {
  let text = '"';
  for (const octet of octets) {
    if (octet < 0x20 || octet > 0x7e) text += decimalEscape(octet);
    else if (octet === 0x22 || octet === 0x5c) text += `\\${String.fromCharCode(octet)}`;
    else text += String.fromCharCode(octet);
  }
  return `${text}"`;
}
