/** RDATA of any type as `\# length hex` (RFC 3597 section 5), the only form for unknown types. */
import { show } from "../wire/presentation.ts";
import { WireError } from "../wire/wire.ts";
import { printHex, scanHex } from "./binary.ts";
import type { FieldKind } from "./kind.ts";

const refuse = (): never => {
  throw new WireError('must be in the form "\\# length hex", the only form of this type');
};

export const opaque: FieldKind = {
  takes: "rest",
  compress: false,
  fromApi: refuse,
  toApi: (field) => [printGeneric(field)],
  scan: refuse,
  print: printGeneric,
  parse: (reader) => reader.bytes(reader.left),
};

export function printGeneric(rdata: Uint8Array): string {
  return rdata.length === 0 ? "\\# 0" : `\\# ${rdata.length} ${printHex(rdata)}`;
}

export const isGeneric = (text: string): boolean => /^\\#(\s|$)/.test(text);

/** Reads a length and that number of octets in hexadecimal, with optional blanks between the digits. */
export function scanGeneric(text: string): Uint8Array {
  const [, length, digits] = /^\\#\s+(\d{1,5})(?:\s+([0-9A-Fa-f\s]*))?$/.exec(text) ?? [];
  if (!length) throw new WireError(`${show(text)} is not in the form "\\# length hex"`);
  const rdata = scanHex((digits ?? "").replace(/\s/g, ""));
  if (rdata.length !== Number(length)) {
    throw new WireError(`has ${rdata.length} octets, but its length is given as ${length}`);
  }
  return rdata;
}
