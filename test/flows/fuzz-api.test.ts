/** Malformed requests for a while; `npm run fuzz:api` goes on for longer, and FUZZ_SEED draws others. */
import { expect, test } from "vitest";
import { fuzzApi, printApi, printApiFindings } from "../fuzz/api/fuzz.ts";

const seed = Number(process.env["FUZZ_SEED"] ?? 1);
const requests = 8000;

test("whatever is asked, the API answers in JSON what was wrong, tells nothing else, and DNS goes on", {
  timeout: 600_000,
}, async () => {
  const report = await fuzzApi({ seed, requests });
  process.stdout.write(`\n${printApi(report)}\n`);
  expect(printApiFindings(report)).toBe("");
  expect([...report.ledger.doneFor.keys()].toSorted()).toEqual(["full", "limited", "nobody", "user"]);
  expect(report.ledger.done.size).toBeGreaterThan(report.operations / 2);
});
