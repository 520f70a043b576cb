/**
 * Patches mutants into a copy of the sources one at a time; a program must find each. Words on the command line select
 * the mutants that contain all of them, and `--log` saves the output.
 */

import { type Mutant, PatchedTree } from "./patched.ts";
import { savedLog } from "./saved-log.ts";

interface Search<M extends Mutant> {
  /** A description of the search, for the summary. */
  readonly name: string;
  readonly mutants: readonly M[];
  /** The program of the copy, and its arguments. */
  readonly command: (mutant: M) => readonly [program: string, ...args: string[]];
  /** The program's message about the mutant; undefined if it found none. */
  readonly finding: (out: string) => string | undefined;
  /** Milliseconds for each mutant. */
  readonly timeout: number;
  /** The log's file, below `logs`. */
  readonly directory: string;
}

/** Sets exit code 1 if a mutant is missed. */
export async function findMutants<M extends Mutant>(search: Search<M>): Promise<void> {
  const { name, mutants, command, finding, timeout, directory } = search;
  const words = process.argv.slice(2).filter((word) => word !== "--log");
  const chosen = mutants.filter(({ what }) => words.every((word) => what.includes(word)));
  const { say, write } = await savedLog("mutants", 1, directory);
  using copy = new PatchedTree();
  let missed = 0;
  for (const mutant of chosen) {
    const began = performance.now();
    const [program, ...args] = command(mutant);
    const { code, out, err } = await copy.with(mutant, () => copy.run(program, ["--seed", "1", ...args], { timeout }));
    const found = code === 1 ? finding(out) : undefined;
    if (found === undefined) missed++;
    const seconds = Math.round((performance.now() - began) / 1000);
    say(`${found === undefined ? "MISSED" : "found"} after ${seconds} s: ${mutant.what}`);
    say(`  ${(found ?? (out + err).slice(-2000)).trim().replaceAll(copy.path, "")}`);
  }
  say(`${name}: ${chosen.length} mutants, ${missed} missed`);
  if (process.argv.includes("--log")) write();
  process.exitCode = missed === 0 && chosen.length > 0 ? 0 : 1;
}
