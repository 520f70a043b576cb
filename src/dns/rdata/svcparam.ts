/** Service parameters: the IANA keys and the forms of their values. */
import { printIpv4, printIpv6 } from "../../lib/address/ip.ts";
import { quote, show, unescapeText } from "../wire/presentation.ts";
import { joined, WireError } from "../wire/wire.ts";
import { readIpv4, readIpv6 } from "./addresses.ts";
import { printBase64, scanBase64 } from "./binary.ts";
import { strings, toText } from "./text.ts";

interface Value {
  /** `text` is the value after `=`, with escapes; empty when there is no value. */
  scan(text: string): Uint8Array;
  print(value: Uint8Array): string;
  isValid(value: Uint8Array): boolean;
}

const plain: Value = {
  scan: unescapeText,
  print: (value) => (value.length === 0 ? "" : quote(value)),
  isValid: () => true,
};

const none: Value = { ...plain, isValid: (value) => value.length === 0 };

const keyList: Value = {
  scan: (text) =>
    u16s(
      text
        .split(",")
        .map(keyNumber)
        .sort((a, b) => a - b),
    ),
  print: (value) => keysIn(value).map(printKey).join(","),
  // strictly ascending, and "mandatory" itself (0) may not be in it
  isValid: (value) => isFilled(value, 2) && keysIn(value).every((key, i, keys) => key > (keys[i - 1] ?? 0)),
};

const port: Value = {
  scan: (text) => {
    if (!/^\d{1,5}$/.test(text) || Number(text) > 0xffff) throw new WireError(`${show(text)} is not a port`);
    return u16s([Number(text)]);
  },
  print: (value) => String(value[0]! * 256 + value[1]!),
  isValid: (value) => value.length === 2,
};

const addresses = (
  octets: number,
  scan: (text: string) => Uint8Array,
  print: (field: Uint8Array) => string,
): Value => ({
  scan: (text) => joined(text.split(",").map(scan)),
  print: (value) => chunks(value, octets).map(print).join(","),
  isValid: (value) => isFilled(value, octets),
});

const base64: Value = { scan: scanBase64, print: printBase64, isValid: (value) => value.length > 0 };

/** Identifiers, each after its length; in text, `\,` and `\\` are a literal comma and backslash (appendix A.1). */
const protocols: Value = {
  scan: (text) => joined(splitCommas(unescapeText(text)).map((id) => joined([Uint8Array.of(id.length), id]))),
  print: (value) =>
    quote(Uint8Array.from(strings(value).flatMap((id, i) => [...(i > 0 ? [comma] : []), ...escaped(id)]))),
  isValid: (value) => value.length > 0 && strings(value).every((id) => id.length > 0),
};

/** RFC 9461 section 5: a relative URI template with the variable `dns`. */
const template: Value = {
  ...plain,
  isValid: (value) => {
    try {
      return /^\/.*\{\??dns\}/.test(toText(value));
    } catch {
      return false;
    }
  },
};

const keys: readonly (readonly [name: string, value: Value])[] = [
  ["mandatory", keyList],
  ["alpn", protocols],
  ["no-default-alpn", none],
  ["port", port],
  ["ipv4hint", addresses(4, readIpv4, printIpv4)],
  ["ech", base64],
  ["ipv6hint", addresses(16, readIpv6, printIpv6)],
  ["dohpath", template],
  ["ohttp", none],
];

export const formOf = (key: number): Value => keys[key]?.[1] ?? plain;

export const keyName = (key: number): string => keys[key]?.[0] ?? `key${key}`;

/** Keys newer than RFC 9460 are printed by number, so that tools that do not know their names can read them. */
export const printKey = (key: number): string => (key <= 6 ? keyName(key) : `key${key}`);

/** Reads a parameter: a key, and the text after `=`. After a numbered key, the text is plain octets. */
export function scanParam(name: string, text: string): { key: number; value: Uint8Array } {
  const key = keyNumber(name);
  const form = numberedKey.test(name) ? plain : formOf(key);
  return { key, value: form.scan(text) };
}

const numberedKey = /^key(0|[1-9]\d{0,4})$/i;

export function keyNumber(text: string): number {
  const name = text.toLowerCase();
  const known = keys.findIndex(([mnemonic]) => mnemonic === name);
  const key = known >= 0 ? known : Number(numberedKey.exec(name)?.[1] ?? Number.NaN);
  if (!(key <= 0xffff)) throw new WireError(`${show(text)} is not a service parameter`);
  return key;
}

const comma = 0x2c;
const backslash = 0x5c;

function splitCommas(octets: Uint8Array): Uint8Array[] {
  const parts: number[][] = [[]];
  for (let at = 0; at < octets.length; at++) {
    if (octets[at] === comma) parts.push([]);
    else parts.at(-1)!.push(octets[at] === backslash ? (octets[++at] ?? backslash) : octets[at]!);
  }
  const wrong = parts.find((part) => part.length === 0 || part.length > 255);
  if (wrong) throw new WireError("has an identifier that is not 1 to 255 octets long");
  return parts.map((part) => Uint8Array.from(part));
}

const escaped = (id: Uint8Array): number[] =>
  [...id].flatMap((octet) => (octet === comma || octet === backslash ? [backslash, octet] : [octet]));

const isFilled = (value: Uint8Array, octets: number) => value.length > 0 && value.length % octets === 0;

const chunks = (value: Uint8Array, octets: number): Uint8Array[] =>
  Array.from({ length: value.length / octets }, (_, i) => value.subarray(i * octets, (i + 1) * octets));

/** The numbers of a list of keys. */
const keysIn = (value: Uint8Array): number[] => chunks(value, 2).map((key) => key[0]! * 256 + key[1]!);

const u16s = (values: readonly number[]) => Uint8Array.from(values.flatMap((value) => [value >> 8, value & 0xff]));
