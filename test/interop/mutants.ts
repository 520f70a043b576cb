/** Seeded faults, each of which must make a program fail. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Fault, PatchedTree } from "../machine/patched.ts";

/**
 * Tests that `program` ends with 0, and with 3 if one of the faults is present; any other code is a fault of the program.
 * `what` describes the program in the summary.
 */
export function testFaults(what: string, program: string, faults: readonly Fault[]): void {
  let patched: PatchedTree;

  beforeAll(() => {
    patched = new PatchedTree();
  });

  afterAll(() => patched[Symbol.dispose]());

  test("without a fault the short run finds nothing", async () => {
    expect(await patched.run(program)).toMatchObject({ code: 0 });
  });

  test.each(faults)("the short run finds that $what", async (fault) => {
    const { code, out, err } = await patched.with(fault, () => patched.run(program));
    expect(code, `${out}${err}`).toBe(3);
  });

  test("at least ten faults were seeded", () => {
    expect(faults.length).toBeGreaterThanOrEqual(10);
    process.stdout.write(`\nmutants: ${faults.length} seeded faults, each has to make ${what} fail; at least 10\n`);
  });
}
