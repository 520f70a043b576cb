/** The output of `fairlead store export` and `import`. */

/** Prints the number of rows by table, and more lines. */
export function report(counts: Readonly<Record<string, number>>, lines: readonly string[]): void {
  for (const [table, rows] of Object.entries(counts)) print(`${String(rows).padStart(10)}  ${table}`);
  for (const line of lines) print(line);
}

export const print = (line: string) => process.stdout.write(`${line}\n`);
