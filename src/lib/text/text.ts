/** Texts of others made safe for the files that hold them. */

/** Without what XML cannot hold and terminals obey: control characters but for tab and ends of lines. */
export const plain = (text: string) => text.toWellFormed().replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, "");

/** Moves what is written around it, or is a break that nobody sees: names would look like others. */
const unseen = /[\p{Bidi_Control}\u00ad\u200b\u2060\ufeff]/gu;

/** By its number. */
export const escaped = (character: string) => `\\u{${character.codePointAt(0)!.toString(16)}}`;

/** With everything that is there to be seen. */
export const visible = (text: string) => text.replace(unseen, escaped);

/** In one line for a terminal: each control character, break of a line and unseen character by its number. */
export const printable = (text: string) => visible(text.toWellFormed()).replace(/[\p{Cc}\u2028\u2029]/gu, escaped);

/** The same in JSON that is to stay JSON: all of these have four digits. */
export const jsonText = (value: unknown) =>
  JSON.stringify(value).replace(unseen, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** In one line, however many it had. */
export const oneLine = (text: string) => text.replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, " ");

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "\r": "&#13;",
};

/** As the text of an element or an attribute, of XML or HTML. */
export const markup = (text: string) => plain(text).replace(/[&<>"'\r]/g, (character) => entities[character]!);

/**
 * With an apostrophe before what a spreadsheet would take for a formula: in the first line or a later one, also behind
 * blanks of any kind and in full width.
 */
export const inert = (text: string) =>
  plain(text).replace(/(^|\r\n?|\n)(?=[\t\r]|[\s\u200b-\u200f\u2060\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20])/gu, "$1'");

export const clipped = (text: string, most: number) =>
  text.length <= most ? text : `${text.slice(0, most - 1)}\u2026`;
