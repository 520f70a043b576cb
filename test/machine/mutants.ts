/**
 * Seeds faults one at a time; a program must find each. Words on the command line select the faults that contain all of
 * them, and `--log` saves the output.
 */

import { type Fault, PatchedTree } from "./patched.ts";
import { faultLog } from "./saved-log.ts";

interface Search<Seeded extends Fault> {
  /** A description of the search, for the summary. */
  readonly name: string;
  readonly faults: readonly Seeded[];
  /** The program of the copy, and its arguments. */
  readonly command: (fault: Seeded) => readonly [program: string, ...args: string[]];
  /** The program's message about the fault; undefined if it found none. */
  readonly finding: (out: string) => string | undefined;
  /** Milliseconds for each fault. */
  readonly timeout: number;
  /** The log's file, below `logs`. */
  readonly directory: string;
}

/** Sets exit code 1 if a fault is missed. */
export async function seekFaults<Seeded extends Fault>(search: Search<Seeded>): Promise<void> {
  const { name, faults, command, finding, timeout, directory } = search;
  const words = process.argv.slice(2).filter((word) => word !== "--log");
  const chosen = faults.filter(({ what }) => words.every((word) => what.includes(word)));
  const { say, write } = await faultLog("mutants", 1, directory);
  using copy = new PatchedTree();
  let missed = 0;
  for (const fault of chosen) {
    const began = performance.now();
    const [program, ...args] = command(fault);
    const { code, out, err } = await copy.with(fault, () => copy.run(program, ["--seed", "1", ...args], { timeout }));
    const found = code === 1 ? finding(out) : undefined;
    if (found === undefined) missed++;
    const seconds = Math.round((performance.now() - began) / 1000);
    say(`${found === undefined ? "MISSED" : "found"} after ${seconds} s: ${fault.what}`);
    say(`  ${(found ?? (out + err).slice(-2000)).trim().replaceAll(copy.path, "")}`);
  }
  say(`${name}: ${chosen.length} seeded faults, ${missed} missed`);
  if (process.argv.includes("--log")) write();
  process.exitCode = missed === 0 && chosen.length > 0 ? 0 : 1;
}
