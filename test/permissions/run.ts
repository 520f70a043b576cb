/**
 * npm run permissions -- [--seed N] [--cases N] [--accounts N] [--differences N] [--log NAME]: one run, which ends early
 * after N differences. With --log, the result is saved as logs/NAME.txt.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { commit } from "../machine/commit.ts";
import { print, runCases } from "./oracle.ts";
import { startAccounts } from "./service.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: `${Date.now() % 1_000_000}` },
    cases: { type: "string", default: "10000" },
    accounts: { type: "string", default: "4" },
    differences: { type: "string", default: "3" },
    log: { type: "string" },
  },
});
const [seed, cases, mostDifferences] = [Number(values.seed), Number(values.cases), Number(values.differences)];
if (![seed, cases, mostDifferences].every(Number.isSafeInteger))
  throw new Error("--seed, --cases and --differences are numbers");

await using accounts = await startAccounts(Number(values.accounts));
const report = await runCases({ ...accounts, seed, cases, mostDifferences });
process.stdout.write(`${report.differences.join("\n")}${print(report)}\n`);
if (values.log !== undefined) await writeLog(values.log);
process.exitCode = report.differences.length === 0 ? 0 : 1;

async function writeLog(name: string): Promise<void> {
  const directory = join(import.meta.dirname, "logs");
  mkdirSync(directory, { recursive: true });
  const counts = [...report.counts].sort().map(([what, count]) => `${what} ${count}`);
  const lines = [
    `commit ${await commit()}, seed ${seed}, Node ${process.version}`,
    print(report),
    ...counts,
    ...report.differences,
  ];
  writeFileSync(join(directory, `${name}.txt`), `${lines.join("\n").trimEnd()}\n`);
}
