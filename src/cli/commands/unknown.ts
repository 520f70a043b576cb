/** A command that is misspelt, told with what was probably meant: without this, its words go to the command that is the default. */
import type { Command } from "commander";

/** More letters wrong than one in three, or this many, are another word. */
const mostWrong = 2;

export function refuseUnknown(program: Command, args: readonly string[]): void {
  const [given] = args;
  const names = ["help", ...program.commands.map((command) => command.name())];
  if (given === undefined || given.startsWith("-") || names.includes(given)) return;
  const near = names.filter((name) => distance(given, name) <= Math.min(mostWrong, given.length / 3));
  const hint = near.length > 0 ? ` (did you mean ${near.join(" or ")}?)` : "";
  program.error(`error: unknown command '${given}'${hint}`);
}

/** Letters that are to be changed, put in, left out or swapped with the next one to make one word of the other. */
export function distance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, n) => n)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const change = rows[i - 1]![j - 1]! + Number(one[i - 1] !== other[j - 1]);
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swap = isSwap ? rows[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(change, swap, rows[i - 1]![j]! + 1, row[j - 1]! + 1));
    }
    rows.push(row);
  }
  return rows[one.length]![other.length]!;
}
