/** Mutants of our code, each of which must make a program fail. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Mutant, PatchedTree } from "../machine/patched.ts";

/**
 * Tests that `program` ends with 0, and with 3 if a mutant is present; any other code is a fault of the program.
 * `what` describes the program in the summary.
 */
export function testMutants(what: string, program: string, mutants: readonly Mutant[]): void {
  let patched: PatchedTree;

  beforeAll(() => {
    patched = new PatchedTree();
  });

  afterAll(() => patched[Symbol.dispose]());

  test("without a mutant the short run finds nothing", async () => {
    expect(await patched.run(program)).toMatchObject({ code: 0 });
  });

  test.each(mutants)("the short run finds that $what", async (mutant) => {
    const { code, out, err } = await patched.with(mutant, () => patched.run(program));
    expect(code, `${out}${err}`).toBe(3);
  });

  test("at least ten mutants are tried", () => {
    expect(mutants.length).toBeGreaterThanOrEqual(10);
    process.stdout.write(`\nmutants: ${mutants.length}, each has to make ${what} fail; at least 10\n`);
  });
}
