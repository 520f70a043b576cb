/** The output of a command about faults or mutants, saved in a file with commit, seed and observations. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commit } from "./commit.ts";

export interface SavedLog {
  say(line: string): void;
  /** Writes `logs/NAME.txt` in the directory. */
  write(): void;
}

export async function savedLog(name: string, seed: number, parent: string): Promise<SavedLog> {
  const lines = [`commit ${await commit()}, seed ${seed}, Node ${process.version}`];
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
