/**
 * Compares permissions with a second implementation of them; `npm run permissions` runs longer, and PERMISSIONS_SEED
 * draws other cases.
 */
import { expect, test } from "vitest";
import { print, runCases } from "../permissions/oracle.ts";
import { startAccounts } from "../permissions/service.ts";

const seed = Number(process.env["PERMISSIONS_SEED"] ?? 1);
/** As many cases as `npm test` runs in three quarters of a minute. */
const cases = 500;

test("the service permits exactly what the rules permit, and no member gains more than the caller held", {
  timeout: 600_000,
}, async () => {
  await using accounts = await startAccounts();
  const report = await runCases({ ...accounts, seed, cases });
  process.stdout.write(`\n${print(report)}\n`);
  expect(report.differences.join("\n")).toBe("");
  expect(report.calls).toBeGreaterThan(4 * cases);
  for (const what of ["allowed, done", "refused, refused"]) expect(report.counts.get(what)).toBeGreaterThan(cases);
});
