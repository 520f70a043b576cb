/** A small form that writes an answer of a type that few people know by heart. Types without one have their fields only. */
import type { FieldListing, Values } from "../../../kit/fields.tsx";

export type Parts = readonly (string | number)[];

export interface Aid {
  readonly title: string;
  readonly about: string;
  readonly listing: { readonly [name: string]: FieldListing };
  /** Throws an error whose message says what is missing. */
  compose(values: Values): Parts | Promise<Parts>;
}

/** A field of an aid; its name is the word that the answer has. */
export const field = (
  shortdesc: string,
  { desc = shortdesc, ...rest }: Partial<Omit<FieldListing, "shortdesc">> = {},
): FieldListing => ({
  ...{ shortdesc, desc, type: "text", required: false, default: null },
  ...rest,
});

/** The text of a value; "" if it is not given. */
export const textOf = (values: Values, name: string): string => String(values[name] ?? "").trim();

/** The words of a value, which commas or blanks separate. */
export const wordsOf = (values: Values, name: string): string[] =>
  textOf(values, name)
    .split(/[\s,]+/)
    .filter((word) => word !== "");

/** The octets of a text in base64, with or without the lines that enclose PEM. */
export function octetsOf(text: string): Uint8Array<ArrayBuffer> {
  const [, inner = text] = /-----BEGIN [^-]+-----([^-]*)-----END/.exec(text) ?? [];
  return Uint8Array.from(atob(inner.replace(/\s/g, "")), (letter) => letter.charCodeAt(0));
}
