/** A record type: its code, the fields of its RDATA, and how it is served. */
import type { Layout } from "./fields.ts";
import type { FieldKind } from "./kind.ts";

export interface RecordType extends Layout {
  readonly code: number;
  /** The content of DNS replies for a record: itself, its target's addresses, or nothing if it is a redirect. */
  readonly served: "as-is" | "as-address" | "redirect";
  /** Whether names in the RDATA may be compressed. */
  readonly compress: boolean;
  /** Whether API clients may write records of the type; false for types that the service makes and for query types. */
  readonly writable: boolean;
}

export type Row = Omit<RecordType, "name">;
/** Fields by name, in their order. */
export type Kinds = Readonly<Record<string, FieldKind>>;

export function row(code: number, kinds: Kinds, traits: Partial<Pick<Row, "served" | "writable">> = {}): Row {
  const fields = Object.entries(kinds).map(([name, kind]) => ({ name, kind }));
  const compress = fields.some((field) => field.kind.compress);
  return { code, fields, served: "as-is", compress, writable: true, ...traits };
}
