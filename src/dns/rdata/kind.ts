/** Kinds of RDATA fields: the functions that convert a field between API, wire and presentation format. */
import { type Name, root } from "../wire/name.ts";
import { show, type Tokens, tokenize } from "../wire/presentation.ts";
import { type Reader, WireError } from "../wire/wire.ts";

export type ApiPart = string | number;

/** Octets of the fields before this one; a few kinds depend on them. */
export type Before = readonly Uint8Array[];

/** A kind of field. All functions throw a WireError for a value that is not of this kind. */
export interface FieldKind {
  /** Whether the field is one part of an API answer, or all remaining parts. */
  readonly takes: "one" | "rest";
  /** Whether the field is a domain name that may be compressed (RFC 3597 section 4). */
  readonly compress: boolean;
  /** Whether `fromApi` turns every result of `toApi` into the same octets, so that no check is needed. */
  readonly isExact?: boolean;
  fromApi(values: readonly unknown[], before: Before): Uint8Array;
  toApi(field: Uint8Array, before: Before): ApiPart[];
  scan(tokens: Tokens, origin: Name, before: Before): Uint8Array;
  /** Presentation format; empty for a field that is not shown. */
  print(field: Uint8Array, before: Before): string;
  /** Reads the field's octets, or all that remain if the field has no other end. Returned names are uncompressed. */
  parse(reader: Reader, before: Before): Uint8Array;
  /** The form of a value, as far as there is more to say than text. */
  readonly form?: FieldForm;
  /** Throws for a value that messages may contain but users should not write. `fromApi` checks this itself. */
  assertSound?(field: Uint8Array): void;
}

/** How a form asks for a value. */
export type FieldForm =
  | { readonly type: "name" | "ipv4" | "ipv6" }
  | { readonly type: "number"; readonly minimum: number; readonly maximum: number }
  | { readonly type: "select"; readonly choices: readonly number[] };

interface TextField {
  read(text: string, before: Before): Uint8Array;
  write(field: Uint8Array, before: Before): string;
  parse(reader: Reader, before: Before): Uint8Array;
}

/** A kind of field with one part and one token, and with the same text in API and presentation format. */
export function textField({ read, write, parse }: TextField): FieldKind {
  return {
    takes: "one",
    compress: false,
    fromApi: ([value], before) => read(apiText(value), before),
    toApi: (field, before) => [write(field, before)],
    scan: (tokens, _origin, before) => read(tokens.next().text, before),
    print: write,
    parse,
  };
}

/** A kind of field that takes all remaining parts or tokens. In the API the parts may also be one text. */
export function restField({ scan, print, parse }: Pick<FieldKind, "scan" | "print" | "parse">): FieldKind {
  return {
    takes: "rest",
    compress: false,
    fromApi(values, before) {
      const tokens = tokenize(values.map(apiText).join(" "));
      const field = scan(tokens, root, before);
      if (tokens.left > 0) throw new WireError(`has ${show(tokens.next().text)} after its end`);
      return field;
    },
    toApi: (field, before) => [print(field, before)],
    scan,
    print,
    parse,
  };
}

/** A part of an API answer as text: clients send numbers as numbers or as strings. */
export function apiText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  throw new WireError(`${show(value)} is neither text nor a number`);
}
