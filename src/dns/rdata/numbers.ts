/** RDATA fields that are unsigned integers, some with mnemonics. */
import { show } from "../wire/presentation.ts";
import { type Reader, WireError } from "../wire/wire.ts";
import { apiText, type FieldKind } from "./kind.ts";

type Mnemonics = Readonly<Record<string, number>>;

export const u8 = integer(1);
export const u16 = integer(2);
export const u32 = integer(4);
/** 32 bits; in a zone file, units are possible too: `1h30m`. */
export const seconds: FieldKind = {
  ...u32,
  scan: (tokens) => fromNumber(scanSeconds(tokens.next().text), 4, 0xffffffff),
};
/** A number in one octet. */
export const numberUpTo = (highest: number): FieldKind => integer(1, { highest });
export const gatewayType = numberUpTo(3);
/** RFC 9859 section 2.3. */
export const notifyScheme = integer(1, { mnemonics: { NOTIFY: 1 } });

/** RFC 4398 section 2.1. */
export const certificateType = integer(2, {
  mnemonics: { PKIX: 1, SPKI: 2, PGP: 3, IPKIX: 4, ISPKI: 5, IPGP: 6, ACPKIX: 7, IACPKIX: 8, URI: 253, OID: 254 },
});

const algorithms: Mnemonics = {
  RSAMD5: 1,
  DH: 2,
  DSA: 3,
  RSASHA1: 5,
  NSEC3DSA: 6,
  NSEC3RSASHA1: 7,
  RSASHA256: 8,
  RSASHA512: 10,
  ECCGOST: 12,
  ECDSAP256SHA256: 13,
  ECDSAP384SHA384: 14,
  ED25519: 15,
  ED448: 16,
  INDIRECT: 252,
  PRIVATEDNS: 253,
  PRIVATEOID: 254,
};

/** DNSSEC algorithms: CERT records show the mnemonic, other types the number (RFC 4034 section 5.3). */
export const certificateAlgorithm = integer(1, { mnemonics: algorithms });
export const algorithm: FieldKind = { ...certificateAlgorithm, print: (field) => String(toNumber(field)) };

interface Limits {
  readonly highest?: number;
  readonly mnemonics?: Mnemonics;
}

function integer(octets: 1 | 2 | 4, { highest = 256 ** octets - 1, mnemonics = {} }: Limits = {}): FieldKind {
  const codes = new Map(Object.entries(mnemonics));
  const names = new Map(Object.entries(mnemonics).map(([name, code]) => [code, name]));
  const read = (text: string, form: RegExp): Uint8Array =>
    fromNumber(codes.get(text.toUpperCase()) ?? wholeNumber(text, form), octets, highest);
  return {
    takes: "one",
    compress: false,
    form: { type: "number", minimum: 0, maximum: highest },
    fromApi: ([value]) => read(apiText(value), /^(0|[1-9]\d*)$/),
    toApi: (field) => [toNumber(field)],
    scan: (tokens) => read(tokens.next().text, /^\d+$/),
    print: (field) => names.get(toNumber(field)) ?? String(toNumber(field)),
    parse: (reader: Reader) => fromNumber(toNumber(reader.bytes(octets)), octets, highest),
  };
}

function wholeNumber(text: string, form: RegExp): number {
  if (!form.test(text)) throw new WireError(`${show(text)} is not a whole number`);
  return Number(text);
}

/** `3600` or `1h30m`. */
export function scanSeconds(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  if (!/^(\d+[wdhms])+$/i.test(text)) throw new WireError(`${show(text)} is not a time in seconds`);
  const units: Mnemonics = { w: 604800, d: 86400, h: 3600, m: 60, s: 1 };
  return [...text.toLowerCase().matchAll(/(\d+)([wdhms])/g)]
    .map(([, count, unit]) => Number(count) * units[unit!]!)
    .reduce((sum, part) => sum + part, 0);
}

function fromNumber(value: number, octets: number, highest: number): Uint8Array {
  if (value > highest) throw new WireError(`${value} is not in 0 to ${highest}`);
  const field = new Uint8Array(octets);
  for (let i = octets - 1, rest = value; i >= 0; i--, rest = Math.floor(rest / 256)) field[i] = rest % 256;
  return field;
}

export const toNumber = (field: Uint8Array): number => field.reduce((value, octet) => value * 256 + octet, 0);
