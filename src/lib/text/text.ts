/** Makes untrusted text safe for files, terminals, spreadsheets and markup. */

/** Removes characters that XML forbids and terminals execute: control characters except tab and line ends. */
export const plain = (text: string) => text.toWellFormed().replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, "");

/** Invisible characters that change the text direction or separate letters, so that one name can look like another. */
const unseen = /[\p{Bidi_Control}\u00ad\u200b\u2060\ufeff]/gu;

/** Returns the escape sequence of a character. */
export const escaped = (character: string) => `\\u{${character.codePointAt(0)!.toString(16)}}`;

/** Escapes invisible characters. */
export const visible = (text: string) => text.replace(unseen, escaped);

/** Returns one line for a terminal: escapes control characters, line breaks and invisible characters. */
export const printable = (text: string) => visible(text.toWellFormed()).replace(/[\p{Cc}\u2028\u2029]/gu, escaped);

/** Prints JSON with invisible characters escaped; all of them have four digits, so it remains JSON. */
export const jsonText = (value: unknown) =>
  JSON.stringify(value).replace(unseen, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Joins the lines of a text. */
export const oneLine = (text: string) => text.replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, " ");

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "\r": "&#13;",
};

/** Escapes text for an element or attribute of XML or HTML. */
export const markup = (text: string) => plain(text).replace(/[&<>"'\r]/g, (character) => entities[character]!);

/**
 * Puts an apostrophe before text that a spreadsheet would take for a formula: in any line, even after blanks of any
 * kind, and even in full-width characters.
 */
export const inert = (text: string) =>
  plain(text).replace(/(^|\r\n?|\n)(?=[\t\r]|[\s\u200b-\u200f\u2060\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20])/gu, "$1'");

export const clipped = (text: string, most: number) =>
  text.length <= most ? text : `${text.slice(0, most - 1)}\u2026`;
