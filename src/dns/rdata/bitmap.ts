/** Fields of record types: a set (RFC 4034 section 4.1.2), and a single type. */
import { TypeCode } from "../wire/constants.ts";
import { show, type Tokens } from "../wire/presentation.ts";
import { joined, type Reader, WireError } from "../wire/wire.ts";
import { restField, textField } from "./kind.ts";

const codes = new Map<string, number>(Object.entries(TypeCode));
const mnemonics = new Map<number, string>(Object.entries(TypeCode).map(([mnemonic, code]) => [code, mnemonic]));

/** A set of types, written as mnemonics (or TYPEnnn) with blanks between them; it may be empty. */
export const typeBitmap = restField({ scan, print, parse });

/** A record type, by mnemonic or TYPEnnn. */
export const typeMnemonic = textField({
  read: (text) => octetsOf(scanType(text)),
  write: (field) => mnemonicOf(field[0]! * 256 + field[1]!),
  parse: (reader) => octetsOf(reader.u16()),
});

function octetsOf(code: number): Uint8Array {
  if (code === 0) throw new WireError("contains type 0");
  return Uint8Array.of(code >> 8, code & 0xff);
}

const mnemonicOf = (code: number) => mnemonics.get(code) ?? `TYPE${code}`;

function scan(tokens: Tokens): Uint8Array {
  const windows = new Map<number, Uint8Array>();
  const listed = tokens.rest().map((token) => scanType(token.text));
  for (const code of listed.sort((a, b) => a - b)) {
    const bits = windows.get(code >> 8) ?? new Uint8Array(32);
    bits[(code & 0xff) >> 3]! |= 0x80 >> (code & 7);
    windows.set(code >> 8, bits);
  }
  return joined(
    [...windows].flatMap(([window, bits]) => {
      const length = 1 + bits.findLastIndex((octet) => octet !== 0);
      return [Uint8Array.of(window, length), bits.subarray(0, length)];
    }),
  );
}

function scanType(text: string): number {
  const code = codes.get(text.toUpperCase()) ?? Number(/^TYPE(\d{1,5})$/i.exec(text)?.[1] ?? Number.NaN);
  if (!(code > 0 && code <= 0xffff)) throw new WireError(`${show(text)} is not a record type`);
  return code;
}

function print(field: Uint8Array): string {
  const types: string[] = [];
  for (let at = 0; at < field.length; at += 2 + field[at + 1]!) {
    for (let bit = 0; bit < 8 * field[at + 1]!; bit++) {
      if (!(field[at + 2 + (bit >> 3)]! & (0x80 >> (bit & 7)))) continue;
      types.push(mnemonicOf(field[at]! * 256 + bit));
    }
  }
  return types.join(" ");
}

function parse(reader: Reader): Uint8Array {
  const windows: Uint8Array[] = [];
  let last = -1;
  while (reader.left > 0) {
    const window = reader.u8();
    const length = reader.u8();
    if (window <= last) throw new WireError("has windows that are not in order");
    if (length < 1 || length > 32) throw new WireError("has a window that is not 1 to 32 octets long");
    const bits = reader.bytes(length);
    if (bits.at(-1) === 0) throw new WireError("has a window that ends with zeros");
    if (window === 0 && bits[0]! & 0x80) throw new WireError("contains type 0");
    windows.push(Uint8Array.of(window, length), bits);
    last = window;
  }
  return joined(windows);
}
