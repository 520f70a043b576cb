/** RDATA fields that are text: character-strings, lists of character-strings, and text up to the end of the RDATA. */
import { quote, show, unescapeText } from "../wire/presentation.ts";
import { joined, Reader, WireError } from "../wire/wire.ts";
import { apiText, type FieldKind, textField } from "./kind.ts";

const mostStringOctets = 255;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A character-string of at most 255 octets; it may be empty. */
export const characterString: FieldKind = {
  takes: "one",
  compress: false,
  fromApi: ([value]) => withLength(fromText(apiText(value))),
  toApi: (field) => [toText(field.subarray(1))],
  scan: (tokens) => withLength(unescapeText(tokens.next().text)),
  print: (field) => quote(field.subarray(1)),
  parse: (reader) => withLength(reader.bytes(reader.u8())),
};

/** An optional character-string as the last field. */
export const optionalString: FieldKind = {
  takes: "rest",
  compress: false,
  fromApi: (values) => atMostOne(values, ([value]) => characterString.fromApi([value], [])),
  toApi: (field) => (field.length === 0 ? [] : [toText(field.subarray(1))]),
  scan: (tokens) => atMostOne(tokens.rest(), ([token]) => withLength(unescapeText(token!.text))),
  print: (field) => (field.length === 0 ? "" : quote(field.subarray(1))),
  parse: (reader) => (reader.left === 0 ? new Uint8Array(0) : characterString.parse(reader, [])),
};

function atMostOne<T>(values: readonly T[], make: (values: readonly T[]) => Uint8Array): Uint8Array {
  if (values.length > 1) throw new WireError("is more than one string");
  return values.length === 0 ? new Uint8Array(0) : make(values);
}

/** The number of a host on a packet-switched network (RFC 1183 section 3.1): at least four digits. */
export const networkNumber: FieldKind = {
  ...characterString,
  fromApi: (values, before) => checkedNumber(characterString.fromApi(values, before)),
  scan: (tokens, origin, before) => checkedNumber(characterString.scan(tokens, origin, before)),
  parse: (reader, before) => checkedNumber(characterString.parse(reader, before)),
};

const checkedNumber = checkedBy(/^\d{4,}$/, "is not four digits or more");

/** Returns a function that checks the form of a character-string, and returns the string. */
function checkedBy(form: RegExp, fault: string): (field: Uint8Array) => Uint8Array {
  return (field) => {
    const text = Buffer.from(field.subarray(1)).toString("latin1");
    if (!form.test(text)) throw new WireError(`${show(text)} ${fault}`);
    return field;
  };
}

/** One or more character-strings. A string from the API that is too long is split. */
export const characterStrings: FieldKind = {
  takes: "rest",
  compress: false,
  fromApi: (values) => {
    if (values.length === 0) throw new WireError("is missing");
    return joined(values.flatMap((value) => pieces(fromText(apiText(value)))));
  },
  toApi: (field) => regrown(strings(field)).map(toText),
  scan: (tokens) => joined([tokens.next(), ...tokens.rest()].map((token) => withLength(unescapeText(token.text)))),
  print: (field) => strings(field).map(quote).join(" "),
  parse: (reader) => {
    const found = [characterString.parse(reader, [])];
    while (reader.left > 0) found.push(characterString.parse(reader, []));
    return joined(found);
  },
};

/** Text without a length, up to the end of the RDATA. */
export const remainingText = textToEnd(0);
export const filledText = textToEnd(1);

function textToEnd(atLeast: number): FieldKind {
  const checked = (octets: Uint8Array): Uint8Array => {
    if (octets.length < atLeast) throw new WireError("is empty");
    return octets;
  };
  return {
    takes: "one",
    compress: false,
    fromApi: ([value]) => checked(fromText(apiText(value))),
    toApi: (field) => [toText(field)],
    scan: (tokens) => checked(unescapeText(tokens.next().text)),
    print: quote,
    parse: (reader) => checked(reader.bytes(reader.left)),
  };
}

/** The name of a CAA property: letters and digits (RFC 8659 section 4.1). */
export const propertyTag = textField({
  read: (text) => checkedTag(withLength(fromText(text))),
  write: (field) => toText(field.subarray(1)),
  parse: (reader) => checkedTag(characterString.parse(reader, [])),
});

const checkedTag = checkedBy(/^[A-Za-z0-9]+$/, "is not made of letters and digits");

/** A decimal number as a character-string (RFC 1712). */
export const decimal = decimalUpTo(Number.POSITIVE_INFINITY);
/** Longitude or latitude. The limit of both is 180, because the RFC's own example has them in the wrong order. */
export const degrees = decimalUpTo(180);

function decimalUpTo(highest: number): FieldKind {
  return soundString((field) => {
    const text = toText(field.subarray(1));
    if (!/^[+-]?\d+(\.\d+)?$/.test(text)) throw new WireError(`${show(text)} is not a decimal number`);
    if (Math.abs(Number(text)) > highest) throw new WireError(`${show(text)} is not in -${highest} to ${highest}`);
  });
}

/** A character-string that is checked on writing, but not in messages. */
export function soundString(assertSound: (field: Uint8Array) => void): FieldKind {
  return {
    ...characterString,
    fromApi(values, before) {
      const field = characterString.fromApi(values, before);
      assertSound(field);
      return field;
    },
    assertSound,
  };
}

/** Encodes text from the API without escapes: a backslash is a backslash. */
export function fromText(text: string): Uint8Array {
  if (!text.isWellFormed()) throw new WireError(`${show(text)} is not valid Unicode text`);
  return encoder.encode(text);
}

export function toText(octets: Uint8Array): string {
  try {
    return decoder.decode(octets);
  } catch {
    throw new WireError("is not UTF-8");
  }
}

function withLength(octets: Uint8Array): Uint8Array {
  if (octets.length > mostStringOctets) throw new WireError(`has ${octets.length} octets; a string has at most 255`);
  return joined([Uint8Array.of(octets.length), octets]);
}

function pieces(octets: Uint8Array): Uint8Array[] {
  if (octets.length === 0) throw new WireError("is empty");
  const count = Math.ceil(octets.length / mostStringOctets);
  return Array.from({ length: count }, (_, i) =>
    withLength(octets.subarray(i * mostStringOctets, (i + 1) * mostStringOctets)),
  );
}

/** The strings of a list in which an octet with the length precedes each string. */
export function strings(list: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (const reader = new Reader(list); reader.left > 0; ) found.push(reader.bytes(reader.u8()));
  return found;
}

/** Joins each string of the maximum length with the string after it: the reverse of `pieces`. */
function regrown(found: readonly Uint8Array[]): Uint8Array[] {
  const grown: Uint8Array[] = [];
  let open: Uint8Array[] = [];
  for (const string of found) {
    open.push(string);
    if (string.length < mostStringOctets) {
      grown.push(joined(open));
      open = [];
    }
  }
  return open.length > 0 ? [...grown, joined(open)] : grown;
}
