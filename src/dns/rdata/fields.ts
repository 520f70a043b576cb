/** RDATA as a sequence of fields: parses and composes them, and reports errors with the field's name. */
import { joined, type Reader, WireError } from "../wire/wire.ts";
import type { Before, FieldKind } from "./kind.ts";

interface Field {
  readonly name: string;
  readonly kind: FieldKind;
}

export interface Layout {
  /** Mnemonic of the record type, or TYPEnnn. */
  readonly name: string;
  readonly fields: readonly Field[];
}

export class FieldError extends WireError {
  readonly field: string;

  constructor(layout: Layout, field: string, what: string) {
    super(`${layout.name} record: ${field} ${what}`);
    this.field = field;
  }
}

/** Composes RDATA from fields; each may depend on the fields before it. */
export function composeFields(layout: Layout, make: (kind: FieldKind, before: Before) => Uint8Array): Uint8Array {
  const fields: Uint8Array[] = [];
  for (const { name, kind } of layout.fields) fields.push(inField(layout, name, () => make(kind, fields)));
  const rdata = joined(fields);
  if (rdata.length <= 0xffff) return rdata;
  throw new FieldError(layout, layout.fields.at(-1)!.name, "makes the RDATA longer than 65535 octets");
}

/** Splits the RDATA that fill a reader into fields. */
export function parseFields(layout: Layout, reader: Reader): Uint8Array[] {
  const fields: Uint8Array[] = [];
  for (const { name, kind } of layout.fields) fields.push(inField(layout, name, () => kind.parse(reader, fields)));
  if (reader.left > 0) throw new FieldError(layout, "rdata", `has ${reader.left} octets after its last field`);
  return fields;
}

/** The number of fields that take exactly one part of an API answer. */
export const fixedFields = (layout: Layout): number =>
  layout.fields.filter((field) => field.kind.takes === "one").length;

/** An API answer has a part for each field; a last field that takes the rest may have none. */
export function checkCount(layout: Layout, count: number): void {
  const names = layout.fields.map((field) => field.name);
  const fixed = fixedFields(layout);
  if (count < fixed) throw new FieldError(layout, names[count]!, `is missing: an answer is [${names.join(", ")}]`);
  if (count > fixed && fixed === names.length) {
    throw new FieldError(layout, "answer", `has ${count} parts: an answer is [${names.join(", ")}]`);
  }
}

/** Runs a function for a field; its errors get the names of the type and the field. */
export function inField<T>(layout: Layout, field: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof WireError && !(error instanceof FieldError))
      throw new FieldError(layout, field, error.message);
    throw error;
  }
}
