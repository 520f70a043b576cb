/** Search terms: case-insensitive substrings, in which `*` matches any text. Matched in linear time. */

/** The pieces between wildcards, in lower case. */
export type Term = readonly string[];

export const parseTerm = (text: string): Term =>
  text
    .toLowerCase()
    .split("*")
    .filter((piece) => piece !== "");

/** Whether the pieces occur in order. Greedy matching suffices: the leftmost match leaves the most text for the next. */
export function matches(term: Term, text: string): boolean {
  const lower = text.toLowerCase();
  let at = 0;
  for (const piece of term) {
    const found = lower.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return true;
}

/** The term as a pattern of LIKE. */
export const likePattern = (term: Term) =>
  `%${term.map((piece) => piece.replaceAll(/[\\%_]/g, "\\$&")).join("%")}${term.length > 0 ? "%" : ""}`;

/**
 * A pattern that matches the JSON text of every answer that contains the term. It omits characters that JSON escapes, and
 * spaces, which may separate two fields.
 */
export const likeInJson = (term: Term) => likePattern(term.flatMap((piece) => piece.match(/[a-z0-9.:_/+=-]+/g) ?? []));
