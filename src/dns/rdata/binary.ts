/** Fields of binary data up to the end of the RDATA, written in hexadecimal or base64. */
import { show } from "../wire/presentation.ts";
import { WireError } from "../wire/wire.ts";
import { apiText, type Before, type FieldKind } from "./kind.ts";

interface Encoding {
  decode(text: string): Uint8Array;
  encode(octets: Uint8Array): string;
}

const hexadecimal: Encoding = { decode: scanHex, encode: printHex };
const base64Text: Encoding = { decode: scanBase64, encode: printBase64 };

export const base64 = binary(base64Text, required);
export const hex = binary(hexadecimal, required);

/** Data that may be empty; empty data are written as "-". */
export const base64OrDash = binary(
  {
    decode(text) {
      if (text === "") throw new WireError('is missing; "-" means no data');
      return text === "-" ? new Uint8Array(0) : scanBase64(text);
    },
    encode: (octets) => (octets.length === 0 ? "-" : printBase64(octets)),
  },
  () => {},
);

/** An OSI address (RFC 1706 section 5): `0x` and digits, with optional dots between them. */
export const nsapAddress = binary(
  {
    decode(text) {
      if (!/^0x/i.test(text)) throw new WireError(`${show(text)} does not begin with "0x"`);
      return scanHex(text.slice(2).replaceAll(".", ""));
    },
    encode: (octets) => `0x${printHex(octets).toLowerCase()}`,
  },
  required,
);

/** A digest. The field before a digest is its type, which determines the length; `atLeast` is for unknown types too. */
export const digest = (lengths: Readonly<Record<number, number>>, atLeast = 1): FieldKind =>
  binary(hexadecimal, (field, before) => {
    const length = lengths[before.at(-1)![0]!];
    if (length !== undefined && field.length !== length) {
      throw new WireError(`has ${field.length} octets; a digest of this type has ${length}`);
    }
    required(field);
    if (field.length < atLeast) throw new WireError(`has ${field.length} octets; a digest has at least ${atLeast}`);
  });

/** RFC 4025 section 2.4: algorithm 0 means that there is no key. */
export const ipsecKey: FieldKind = {
  ...binary(base64Text, (field, before) => {
    if (before[2]![0] !== 0) required(field);
    else if (field.length > 0) throw new WireError("must be absent, because algorithm 0 means that there is no key");
  }),
  takes: "rest",
};

/** RFC 2535 section 3.1.2: two flags mean that there is no key. */
export const optionalKey: FieldKind = {
  ...binary(base64Text, (field, before) => {
    if (before[0]![0]! >> 6 !== 3) required(field);
    else if (field.length > 0) throw new WireError("must be absent, because the flags mean that there is no key");
  }),
  takes: "rest",
};

function required(field: Uint8Array): void {
  if (field.length === 0) throw new WireError("is empty");
}

function binary({ decode, encode }: Encoding, check: (field: Uint8Array, before: Before) => void): FieldKind {
  const checked = (field: Uint8Array, before: Before): Uint8Array => {
    check(field, before);
    return field;
  };
  return {
    takes: "one",
    compress: false,
    fromApi: (values, before) => checked(decode(values.map(apiText).join("")), before),
    toApi: (field) => [encode(field)],
    scan: (tokens, _origin, before) => {
      const text = tokens.rest().map((token) => token.text);
      return checked(decode(text.join("")), before);
    },
    print: encode,
    parse: (reader, before) => checked(reader.bytes(reader.left), before),
  };
}

export function scanHex(text: string): Uint8Array {
  const digits = text.replace(/[ \t]/g, "");
  if (!/^[0-9a-f]*$/i.test(digits)) throw new WireError(`${show(text)} is not hexadecimal`);
  if (digits.length % 2 !== 0) throw new WireError(`${show(text)} has an odd number of hexadecimal digits`);
  return Uint8Array.from(Buffer.from(digits, "hex"));
}

export function printHex(octets: Uint8Array): string {
  return buffer(octets).toString("hex").toUpperCase();
}

export function scanBase64(text: string): Uint8Array {
  const digits = text.replace(/[ \t]/g, "");
  if (digits.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(digits)) {
    throw new WireError(`${show(text)} is not base64`);
  }
  return Uint8Array.from(Buffer.from(digits, "base64"));
}

export function printBase64(octets: Uint8Array): string {
  return buffer(octets).toString("base64");
}

const buffer = (octets: Uint8Array) => Buffer.from(octets.buffer, octets.byteOffset, octets.length);
