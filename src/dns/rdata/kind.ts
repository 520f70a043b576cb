/** What a field of RDATA is: the functions by which it passes between API, wire and presentation format. */
import type { Name } from "../wire/name.ts";
import { show, type Tokens } from "../wire/presentation.ts";
import { type Reader, WireError } from "../wire/wire.ts";

export type ApiPart = string | number;

/** Octets of the fields that stand before this one, which a few kinds depend on. */
export type Before = readonly Uint8Array[];

/** Every function throws WireError for what is not a value of this kind. */
export interface FieldKind {
  /** Whether the field is one part of an API answer, or all parts that are left. */
  readonly takes: "one" | "rest";
  /** A domain name that other names of a message may share their end with (RFC 3597 section 4). */
  readonly compress: boolean;
  /** `fromApi` makes all that can be parsed again of what `toApi` says of it: that needs no look. */
  readonly isExact?: boolean;
  fromApi(values: readonly unknown[], before: Before): Uint8Array;
  toApi(field: Uint8Array, before: Before): ApiPart[];
  scan(tokens: Tokens, origin: Name, before: Before): Uint8Array;
  /** Empty for a field of which nothing is shown. */
  print(field: Uint8Array, before: Before): string;
  /** Takes the field's octets, all of them that are left when nothing else ends it; names without compression. */
  parse(reader: Reader, before: Before): Uint8Array;
  /** Throws for what messages may carry though nobody should write it. `fromApi` looks itself. */
  assertSound?(field: Uint8Array): void;
}

interface TextField {
  read(text: string, before: Before): Uint8Array;
  write(field: Uint8Array, before: Before): string;
  parse(reader: Reader, before: Before): Uint8Array;
}

/** A kind of one part and one token, whose text in the API is that of the presentation format. */
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

/** A part of an API answer as text: clients send numbers as either. */
export function apiText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  throw new WireError(`${show(value)} is neither text nor a number`);
}
