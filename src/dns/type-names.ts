/** Finds record types by mnemonic or code, even types that are not in the table (RFC 3597). */
import { opaque } from "./rdata/opaque.ts";
import { type RecordType, row } from "./rdata/record-type.ts";
import { types } from "./types.ts";
import { TypeCode } from "./wire/constants.ts";

/** The type for a mnemonic (in any case) or TYPEnnn; TYPE1 is A. */
export function typeNamed(text: string): RecordType | undefined {
  const known = byName.get(text);
  if (known) return known;
  const code = /^TYPE(0|[1-9]\d{0,4})$/i.exec(text)?.[1];
  if (code !== undefined) return Number(code) <= 0xffff ? typeCoded(Number(code)) : undefined;
  return byName.get(text.toUpperCase());
}

/** The name of a type, even when it is written as TYPEnnn; any other text is returned unchanged. */
export const typeName = (text: string): string => typeNamed(text)?.name ?? text;

/** A type from the table, or an unknown type with opaque RDATA (RFC 3597). */
export function typeCoded(code: number): RecordType {
  const unknown = () => ({ name: `TYPE${code}`, ...row(code, { rdata: opaque }, { writable: !isReserved(code) }) });
  return byCode.get(code) ?? unknown();
}

const furtherReserved = new Set<number>([
  TypeCode.OPT,
  TypeCode.RRSIG,
  TypeCode.NSEC,
  TypeCode.NSEC3,
  TypeCode.NSEC3PARAM,
]);

/** Query and meta types (RFC 6895 section 3.1), and types that only a signer makes. */
const isReserved = (code: number) =>
  code === 0 || code === 0xffff || (code >= 128 && code <= 255) || furtherReserved.has(code);

const byName = new Map<string, RecordType>(Object.entries(types));
const byCode = new Map(Object.values(types).map((type) => [type.code, type]));
