/** Who may do what, by a second opinion; `npm run permissions` goes on for longer, and PERMISSIONS_SEED draws other cases. */
import { expect, test } from "vitest";
import { print, runCases } from "../permissions/oracle.ts";
import { startAccounts } from "../permissions/service.ts";

const seed = Number(process.env["PERMISSIONS_SEED"] ?? 1);
/** What `npm test` has three quarters of a minute for. */
const cases = 800;

test("what permissions let through is what the rules say, and nobody comes to hold more than those who acted", {
  timeout: 600_000,
}, async () => {
  await using accounts = await startAccounts();
  const report = await runCases({ ...accounts, seed, cases });
  process.stdout.write(`\n${print(report)}\n`);
  expect(report.faults.join("\n")).toBe("");
  expect(report.calls).toBeGreaterThan(4 * cases);
  for (const what of ["allowed, done", "refused, refused"]) expect(report.counts.get(what)).toBeGreaterThan(cases);
});
