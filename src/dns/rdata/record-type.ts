/** A record type: its code, the fields of its RDATA, and how it is served. */
import type { Layout } from "./fields.ts";
import type { FieldKind } from "./kind.ts";

export interface RecordType extends Layout {
  readonly code: number;
  /** What a client of DNS sees: the record itself, the addresses that its target has, or a redirect service's address. */
  readonly served: "as-is" | "as-address" | "redirect";
  /** Whether names in the RDATA may be compressed. */
  readonly compress: boolean;
  /** Whether clients of the API may write such records; false for what the service makes and for types of queries. */
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
