/** The fuzzer for a third of a minute; `npm run fuzz` runs longer, and FUZZ_SEED draws other packets. */
import { expect, test } from "vitest";
import { fuzz, print, printFindings } from "../fuzz/fuzz.ts";

const seed = Number(process.env["FUZZ_SEED"] ?? 1);
/** Three times as many as each mutant of `npm run fuzz:mutants` needs. */
const packets = 200_000;

test("whatever is sent, replies are sound, no process dies, and memory is steady", {
  timeout: 600_000,
}, async () => {
  const report = await fuzz({ seed, packets });
  process.stdout.write(`\n${print(report)}\n`);
  expect(printFindings(report)).toBe("");
  expect(report.ledger.replies).toBeGreaterThan(packets / 2);
});
