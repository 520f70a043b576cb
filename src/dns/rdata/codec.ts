/** Converts RDATA between wire format, presentation format and the API, by the fields of the record type. */
import { invalid, Problem } from "../../lib/problem.ts";
import { type Name, root } from "../wire/name.ts";
import { show, type Tokens, tokenize } from "../wire/presentation.ts";
import { joined, Reader, WireError } from "../wire/wire.ts";
import { checkCount, composeFields, FieldError, fixedFields, inField, parseFields } from "./fields.ts";
import { type ApiPart, apiText } from "./kind.ts";
import { isGeneric, printGeneric, scanGeneric } from "./opaque.ts";
import type { RecordType } from "./record-type.ts";

/** RDATA from an API answer: fields, or one string in presentation format. A Problem names the type and the field. */
export function rdataFromApi(type: RecordType, answer: readonly unknown[]): Uint8Array {
  try {
    const [first] = answer;
    if (typeof first === "string" && isGeneric(first)) return fromGeneric(type, () => answer.map(apiText));
    // lexicon sends "10 mail.example.com." as the single part of an MX answer
    if (typeof first === "string" && answer.length === 1 && /\s/.test(first) && fixedFields(type) > 1) {
      return inField(type, "answer", () => scanRdata(type, first));
    }
    checkCount(type, answer.length);
    return composeFields(type, (kind, before) => {
      const values = answer.slice(before.length);
      return kind.fromApi(kind.takes === "rest" ? values : values.slice(0, 1), before);
    });
  } catch (error) {
    if (error instanceof FieldError) throw invalid(error.message, { type: type.name, field: error.field });
    throw error;
  }
}

/** The API answer for RDATA: by fields, or in the generic form if `rdataFromApi` could not restore it from fields. */
export function rdataToApi(type: RecordType, rdata: Uint8Array): ApiPart[] {
  try {
    const answer = parseFields(type, new Reader(rdata)).flatMap((field, i, fields) =>
      type.fields[i]!.kind.toApi(field, fields),
    );
    if (type.fields.every(({ kind }) => kind.isExact)) return answer;
    if (answer.every(isStorable) && isSame(rdataFromApi(type, answer), rdata)) return answer;
  } catch (error) {
    if (!(error instanceof WireError || error instanceof Problem)) throw error;
  }
  return [printGeneric(rdata)];
}

/** Neither the API nor its store accepts NUL characters. */
const isStorable = (part: ApiPart) => typeof part === "number" || !part.includes("\0");

/** An answer in one line, for summaries: its parts with a blank between them, without quotes. */
export const shortAnswer = (answer: readonly unknown[]): string => answer.join(" ");

/** Reads the RDATA that fill a reader; the result has no compression. */
export function parseRdata(type: RecordType, reader: Reader): Uint8Array {
  return joined(parseFields(type, reader));
}

/** Reads RDATA in presentation format: by the fields of the type, or generic (`\# length hex`). */
export function scanRdata(type: RecordType, text: string | Tokens, origin: Name = root): Uint8Array {
  const tokens = typeof text === "string" ? tokenize(text) : text;
  const first = tokens.peek();
  if (first && !first.quoted && isGeneric(first.text)) {
    return fromGeneric(type, () => tokens.rest().map((token) => token.text));
  }
  const rdata = composeFields(type, (kind, before) => kind.scan(tokens, origin, before));
  if (tokens.left > 0) throw new FieldError(type, "rdata", `has ${show(tokens.next().text)} after its last field`);
  return rdata;
}

/** Presentation format, in the spelling of dig with +nosplit. */
export function printRdata(type: RecordType, rdata: Uint8Array): string {
  return parseFields(type, new Reader(rdata))
    .map((field, i, fields) => type.fields[i]!.kind.print(field, fields))
    .filter((text) => text !== "")
    .join(" ");
}

/** Throws a FieldError for RDATA that messages may contain but users should not write. */
export function assertSound(type: RecordType, rdata: Uint8Array): void {
  if (!type.fields.some(({ kind }) => kind.assertSound)) return;
  for (const [i, field] of parseFields(type, new Reader(rdata)).entries()) {
    const { name, kind } = type.fields[i]!;
    inField(type, name, () => kind.assertSound?.(field));
  }
}

/** Offsets of the names in the RDATA that may be compressed. */
export function compressible(type: RecordType, rdata: Uint8Array): number[] {
  if (!type.compress) return [];
  let at = 0;
  return parseFields(type, new Reader(rdata)).flatMap((field, i) => {
    const start = at;
    at += field.length;
    return type.fields[i]!.kind.compress ? [start] : [];
  });
}

function fromGeneric(type: RecordType, words: () => readonly string[]): Uint8Array {
  return inField(type, "rdata", () => {
    const rdata = scanGeneric(words().join(" "));
    // RFC 3597 section 5: names in the generic form are not compressed either
    if (isSame(parseRdata(type, new Reader(rdata)), rdata)) return rdata;
    throw new WireError("has a compressed name");
  });
}

const isSame = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;
