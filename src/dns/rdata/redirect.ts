/** Fields of records that describe an HTTP redirect. They are internal: DNS messages never contain them. */
import { quote, show, unescapeText } from "../wire/presentation.ts";
import { joined, WireError } from "../wire/wire.ts";
import { apiText, type FieldKind, textField } from "./kind.ts";
import { toNumber } from "./numbers.ts";
import { fromText, toText } from "./text.ts";

/** A path; with `*` at its end it includes all paths below. */
export const path = longText((text) => {
  if (!text.startsWith("/")) throw new WireError(`${show(text)} does not begin with "/"`);
});

export const target = longText((text) => {
  const url = URL.parse(text);
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw new WireError(`${show(text)} is not an http or https URL`);
  }
});

/** A number from a fixed set, in one octet or two. */
export function choice(octets: 1 | 2, values: readonly number[]): FieldKind {
  const check = (value: number): Uint8Array => {
    if (!values.includes(value)) throw new WireError(`${show(value)} is not ${values.join(" or ")}`);
    return octets === 1 ? Uint8Array.of(value) : Uint8Array.of(value >> 8, value & 0xff);
  };
  const numbers = textField({
    read: (text) => check(/^\d{1,5}$/.test(text) ? Number(text) : Number.NaN),
    write: (field) => String(toNumber(field)),
    parse: (reader) => check(toNumber(reader.bytes(octets))),
  });
  return { ...numbers, form: { type: "select", choices: values }, toApi: (field) => [toNumber(field)] };
}

/** UTF-8 text after a length of two octets. */
function longText(check: (text: string) => void): FieldKind {
  const read = (text: string): Uint8Array => {
    if (/[\p{Cc}\s]/u.test(text)) throw new WireError(`${show(text)} has a blank or control character`);
    check(text);
    const octets = fromText(text);
    if (octets.length > 8192) throw new WireError("is longer than 8192 octets");
    return joined([Uint8Array.of(octets.length >> 8, octets.length & 0xff), octets]);
  };
  const contents = (field: Uint8Array) => field.subarray(2);
  return {
    takes: "one",
    compress: false,
    fromApi: ([value]) => read(apiText(value)),
    toApi: (field) => [toText(contents(field))],
    scan: (tokens) => read(toText(unescapeText(tokens.next().text))),
    print: (field) => quote(contents(field)),
    parse: (reader) => read(toText(reader.bytes(reader.u16()))),
  };
}
