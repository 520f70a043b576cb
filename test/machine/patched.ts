/** A copy of the sources with patched places: to show that a test can fail, or as another version. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { node, tree } from "../service/kit.ts";
import { type Ended, run } from "./processes.ts";

/** A change of our code that makes it wrong. */
export interface Mutant {
  readonly what: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

interface PatchedOptions {
  /** Milliseconds. */
  readonly timeout?: number;
}

/** Must be disposed of. */
export class PatchedTree {
  readonly path = mkdtempSync(join(tmpdir(), "fairlead-mutants-"));

  constructor() {
    for (const part of ["package.json", "bin", "src", "test"]) {
      cpSync(join(tree, part), join(this.path, part), { recursive: true });
    }
    symlinkSync(join(tree, "node_modules"), join(this.path, "node_modules"));
  }

  /** Runs a program of the copy to its end. */
  run(program: string, args: readonly string[] = [], options: PatchedOptions = {}): Promise<Ended> {
    return run(node, [join(this.path, program), ...args], { cwd: this.path, ...options });
  }

  /** Runs `use` with a mutant in place. */
  async with<T>(mutant: Mutant, use: () => Promise<T>): Promise<T> {
    const undo = this.apply(mutant);
    try {
      return await use();
    } finally {
      undo();
    }
  }

  /** Puts a mutant in place, until the function that is returned is called. */
  apply({ file, from, to }: Omit<Mutant, "what">): () => void {
    const path = join(this.path, file);
    const text = readFileSync(path, "utf8");
    if (text.split(from).length !== 2) throw new Error(`the patch of ${file} does not apply in one place`);
    writeFileSync(
      path,
      text.replace(from, () => to),
    );
    return () => writeFileSync(path, text);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
