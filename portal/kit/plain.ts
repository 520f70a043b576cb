/** Descriptions of catalogues are HTML; pages show their text, and write no markup of others into the page. */

/** The text of a piece of HTML, without its elements. */
export const plainOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, "")
    .replace(/&(lt|gt|amp|quot|#39);/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/\s+/g, " ")
    .trim();

const entities: { readonly [name: string]: string } = { lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'" };

/** A text of others in which characters that do not show, or that turn the text around, appear as numbers. */
export const visibleOf = (text: string): string =>
  text.replace(hidden, (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`);

/** A text of others as it is shown: visible, and cut where it is longer than a page needs. */
export const shownOf = (text: string, longest = 180): string =>
  visibleOf(text.length > longest ? `${text.slice(0, longest)}…` : text);

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
