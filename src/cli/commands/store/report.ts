/** What `fairlead store export` and `import` print. */

/** Prints the number of rows by table, and the summary. */
export function report(counts: Readonly<Record<string, number>>, summary: string): void {
  for (const [table, rows] of Object.entries(counts)) print(`${String(rows).padStart(10)}  ${table}`);
  print(summary);
}

export const print = (line: string) => process.stdout.write(`${line}\n`);
