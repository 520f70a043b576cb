/** Seeded faults: a copy of the sources in which one place at a time is patched, to show that a test can fail. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { node, tree } from "../kit.ts";
import { type Ended, run } from "../processes.ts";

export interface Fault {
  readonly what: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Tests that `program` ends with 0, and with 3 as soon as one of the faults is there; any other code is a fault of its
 * own. `what` is what it stands for, for the summary.
 */
export function testFaults(what: string, program: string, faults: readonly Fault[]): void {
  let patched: PatchedTree;

  beforeAll(() => {
    patched = new PatchedTree();
  });

  afterAll(() => patched[Symbol.dispose]());

  test("without a fault the short run sees nothing", async () => {
    expect(await patched.run(program)).toMatchObject({ code: 0 });
  });

  test.each(faults)("it sees that $what", async (fault) => {
    const { code, out, err } = await patched.with(fault, () => patched.run(program));
    expect(code, `${out}${err}`).toBe(3);
  });

  test("at least ten faults were seeded", () => {
    expect(faults.length).toBeGreaterThanOrEqual(10);
    process.stdout.write(`\nmutants: ${faults.length} seeded faults, each has to make ${what} fail; at least 10\n`);
  });
}

/** A copy of the sources that programs are run from; to be disposed of. */
class PatchedTree {
  readonly #copy = mkdtempSync(join(tmpdir(), "fairlead-mutants-"));

  constructor() {
    for (const part of ["package.json", "src", "test"]) {
      cpSync(join(tree, part), join(this.#copy, part), { recursive: true });
    }
    symlinkSync(join(tree, "node_modules"), join(this.#copy, "node_modules"));
  }

  /** Runs a program of the copy to its end. */
  run(program: string, ...args: readonly string[]): Promise<Ended> {
    return run(node, [join(this.#copy, program), ...args], { cwd: this.#copy });
  }

  /** Runs `use` while a fault is there. */
  async with<T>({ file, from, to }: Fault, use: () => Promise<T>): Promise<T> {
    const path = join(this.#copy, file);
    const text = readFileSync(path, "utf8");
    expect(text.split(from), `the patch of ${file} applies in one place`).toHaveLength(2);
    writeFileSync(
      path,
      text.replace(from, () => to),
    );
    try {
      return await use();
    } finally {
      writeFileSync(path, text);
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.#copy, { recursive: true, force: true });
  }
}
