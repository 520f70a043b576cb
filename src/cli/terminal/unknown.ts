/** Refuses misspelt commands with a suggestion, since the default command would take them as arguments. */
import type { Command } from "commander";

/** A name is suggested if at most a third of its letters are wrong, and at most this many. */
const mostWrong = 2;

export function refuseUnknown(program: Command, args: readonly string[]): void {
  const [given] = args;
  const names = ["help", ...program.commands.map((command) => command.name())];
  if (given === undefined || given.startsWith("-") || names.includes(given)) return;
  const near = names.filter((name) => distance(given, name) <= Math.min(mostWrong, given.length / 3));
  const hint = near.length > 0 ? ` (did you mean ${near.join(" or ")}?)` : "";
  program.error(`error: unknown command '${given}'${hint}`);
}

/** The fewest edits that turn one word into the other. An edit changes, inserts or removes a letter, or swaps neighbours. */
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
