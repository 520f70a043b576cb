/** RDATA fields that are domain names. */
import { nameToApi, printName, scanApiName, scanName } from "../wire/name.ts";
import { show } from "../wire/presentation.ts";
import { WireError } from "../wire/wire.ts";
import type { FieldKind } from "./kind.ts";

/** A name that is never compressed, as in all types newer than RFC 1035. */
export const name: FieldKind = {
  takes: "one",
  compress: false,
  form: { type: "name" },
  fromApi([value]) {
    if (typeof value !== "string") throw new WireError(`${show(value)} is not a domain name`);
    return scanApiName(value);
  },
  toApi: (field) => [nameToApi(field)],
  scan: (tokens, origin) => scanName(tokens.next().text, origin),
  print: printName,
  parse: (reader) => reader.name(),
};

export const compressedName: FieldKind = { ...name, compress: true };
