/** RDATA as a sequence of fields: taken apart, put together, and what is wrong with one of them. */
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

/** RDATA out of fields, each made with those before it in sight. */
export function composeFields(layout: Layout, make: (kind: FieldKind, before: Before) => Uint8Array): Uint8Array {
  const fields: Uint8Array[] = [];
  for (const { name, kind } of layout.fields) fields.push(inField(layout, name, () => make(kind, fields)));
  const rdata = joined(fields);
  if (rdata.length <= 0xffff) return rdata;
  throw new FieldError(layout, layout.fields.at(-1)!.name, "makes the RDATA longer than 65535 octets");
}

/** The fields of the RDATA that fill a reader. */
export function parseFields(layout: Layout, reader: Reader): Uint8Array[] {
  const fields: Uint8Array[] = [];
  for (const { name, kind } of layout.fields) fields.push(inField(layout, name, () => kind.parse(reader, fields)));
  if (reader.left > 0) throw new FieldError(layout, "rdata", `has ${reader.left} octets after its last field`);
  return fields;
}

/** How many fields take one part of an API answer each. */
export const fixedFields = (layout: Layout): number =>
  layout.fields.filter((field) => field.kind.takes === "one").length;

/** An API answer has a part for each field; a last field that takes the rest may have none. */
export function checkCount(layout: Layout, count: number): void {
  const names = layout.fields.map((field) => field.name);
  const fixed = fixedFields(layout);
  if (count < fixed) throw new FieldError(layout, names[count]!, `is missing: an answer is [${names.join(", ")}]`);
  if (count > fixed && fixed === names.length) {
    throw new FieldError(layout, "answer", `has ${count} parts where [${names.join(", ")}] is meant`);
  }
}

/** Runs something for one field: what is wrong there is said with type and field. */
export function inField<T>(layout: Layout, field: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof WireError && !(error instanceof FieldError))
      throw new FieldError(layout, field, error.message);
    throw error;
  }
}
