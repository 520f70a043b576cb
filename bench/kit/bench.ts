/** A bench as a program: `node bench/NAME.ts [share] [file]` measures with a share of the usual times and sizes. */
import { writeFileSync } from "node:fs";
import { printRows, type Row } from "./rows.ts";

/** A time or a number for a share of the usual one, but not less than `least`. */
export type Scale = (usual: number, least?: number) => number;

/** Prints the rows as a table, and writes them to the file that the runner names. */
export async function bench(measure: (scale: Scale) => Promise<readonly Row[]>): Promise<void> {
  const share = Number(process.argv[2] ?? 1);
  if (!(share > 0 && share <= 1)) throw new Error("the share of times and sizes lies above 0 and is 1 at most");
  const rows = await measure((usual, least = 1) => Math.max(least, Math.round(usual * share)));
  const [, , , file] = process.argv;
  if (file === undefined) printRows(rows);
  else writeFileSync(file, JSON.stringify(rows));
}
