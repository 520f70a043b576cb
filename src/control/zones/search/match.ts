/** Search terms: substrings without regard to case, in which `*` stands for anything. Matched in linear time. */

/** The pieces between wildcards, in lower case. */
export type Term = readonly string[];

export const parseTerm = (text: string): Term =>
  text
    .toLowerCase()
    .split("*")
    .filter((piece) => piece !== "");

/** Whether the pieces occur one after the other: the leftmost place for each leaves the most room for the next. */
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

/** The same as a pattern of LIKE. */
export const likePattern = (term: Term) =>
  `%${term.map((piece) => piece.replaceAll(/[\\%_]/g, "\\$&")).join("%")}${term.length > 0 ? "%" : ""}`;

/**
 * A pattern that the JSON text of every answer with the term fits: the pieces without what JSON writes in another way,
 * and without blanks, which may stand between two parts.
 */
export const likeInJson = (term: Term) => likePattern(term.flatMap((piece) => piece.match(/[a-z0-9.:_/+=-]+/g) ?? []));
