/** A short run with malformed requests; `npm run fuzz:api` runs longer, and FUZZ_SEED draws other requests. */
import { expect, test } from "vitest";
import { fuzzApi, printApi, printApiFindings } from "../fuzz/api/fuzz.ts";

const seed = Number(process.env["FUZZ_SEED"] ?? 1);
const requests = 8000;

test("whatever is sent, the API's errors are JSON and reveal no internals, and DNS continues", {
  timeout: 600_000,
}, async () => {
  const report = await fuzzApi({ seed, requests });
  process.stdout.write(`\n${printApi(report)}\n`);
  expect(printApiFindings(report)).toBe("");
  expect([...report.ledger.doneFor.keys()].toSorted()).toEqual(["anonymous", "full", "limited", "user"]);
  expect(report.ledger.done.size).toBeGreaterThan(report.operations / 2);
});
