/** Tables and wrapped words in plain text. */

/** Indented lines with aligned columns, two blanks apart. */
export function table(rows: readonly (readonly string[])[], indent: number): string[] {
  const widths: number[] = [];
  for (const row of rows) for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  return rows.map((row) =>
    `${" ".repeat(indent)}${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  ")}`.trimEnd(),
  );
}

/** Words in lines of about 100 columns. */
export function wrapped(words: readonly string[], indent: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < width - indent) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => `${" ".repeat(indent)}${line}`);
}

const width = 100;
