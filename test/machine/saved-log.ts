/** The output of a command about faults, saved in a file with commit, seed and observations. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { output } from "./processes.ts";

export interface FaultLog {
  say(line: string): void;
  /** Writes `logs/NAME.txt` in the directory. */
  write(): void;
}

export async function faultLog(
  name: string,
  seed: number,
  parent = join(import.meta.dirname, "../faults"),
): Promise<FaultLog> {
  const commit = (await output("git", ["-C", import.meta.dirname, "describe", "--always", "--dirty"])).trim();
  const lines = [`commit ${commit}, seed ${seed}, Node ${process.version}`];
  return {
    say(line) {
      lines.push(line);
      process.stdout.write(`${line}\n`);
    },
    write() {
      const directory = join(parent, "logs");
      mkdirSync(directory, { recursive: true });
      writeFileSync(join(directory, `${name}.txt`), `${lines.join("\n")}\n`);
    },
  };
}
