/** Lists that are typed as lines. */

/** The lines of a text; commas and spaces also end an entry. */
export const entriesOf = (text: string): string[] => text.split(/[\s,]+/).filter((entry) => entry !== "");

export const linesOf = (entries: readonly string[]): string => entries.join("\n");
