/** A bench as a program: `node bench/NAME.ts [share] [file]` runs with a share of the usual times and sizes. */
import { writeFileSync } from "node:fs";
import { printRows, type Row } from "./rows.ts";

/** Scales a usual time or number, to at least `least`. */
export type Scale = (usual: number, least?: number) => number;

/** Prints the rows as a table, and writes them to the runner's file. */
export async function bench(measure: (scale: Scale) => Promise<readonly Row[]>): Promise<void> {
  const share = Number(process.argv[2] ?? 1);
  if (!(share > 0 && share <= 1)) throw new Error("the share of times and sizes must be above 0 and at most 1");
  const rows = await measure((usual, least = 1) => Math.max(least, Math.round(usual * share)));
  const [, , , file] = process.argv;
  if (file === undefined) printRows(rows);
  else writeFileSync(file, JSON.stringify(rows));
}
