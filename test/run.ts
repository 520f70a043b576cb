/**
 * The checks and the projects of tests that are named, or all. Ends with one line, `N passed, M failed`, and fails when
 * anything did.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { provideDebianPackages } from "./debian.ts";

const tree = resolve(import.meta.dirname, "..");
const checks = ["format", "types", "dead"];
const projects = process.argv.length > 2 ? process.argv.slice(2) : ["unit", "slow", "flows", "interop"];
/** Lines of the tests' own summaries, shown again at the end. */
const summary = /^(differential|mutants|faults|steering): .*$/gm;

interface Count {
  readonly passed: number;
  readonly failed: number;
}

interface Ended {
  readonly code: number;
  readonly printed: string;
}

/** The part of vitest's JSON report that is counted. */
interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

async function main(): Promise<void> {
  if (projects.includes("interop")) provideDebianPackages();
  const summaries: string[] = [];
  // beside the first tests, which wait more than they compute
  const checked = runChecks();
  const counts: Count[] = [];
  for (const project of projects) {
    counts.push(await runProject(project, summaries));
    if (counts.length === 1) counts.push(...(await checked));
  }
  const passed = counts.reduce((sum, count) => sum + count.passed, 0);
  const failed = counts.reduce((sum, count) => sum + count.failed, 0);
  process.stdout.write(`\n${summaries.map((line) => `${line}\n`).join("")}\n${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}

/** A check that fails counts as one failure; one that passes is no test. Each is shown when it has ended. */
async function runChecks(): Promise<Count[]> {
  const counts: Count[] = [];
  for (const check of checks) {
    const { code, printed } = await npm(["run", "-s", check]);
    process.stdout.write(`\n== ${check}\n${printed}`);
    counts.push({ passed: 0, failed: code === 0 ? 0 : 1 });
  }
  return counts;
}

async function runProject(project: string, summaries: string[]): Promise<Count> {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-report-"));
  const file = join(directory, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  process.stdout.write(`\n== ${project}\n`);
  const args = ["exec", "--", "vitest", "run", "--project", project, ...reporters];
  const { code, printed } = await npm(args, (text) => process.stdout.write(text));
  summaries.push(...(printed.match(summary) ?? []));
  const count = readReport(file);
  rmSync(directory, { recursive: true });
  const silent = count.passed + count.failed === 0 || (code !== 0 && count.failed === 0);
  return silent ? { ...count, failed: count.failed + 1 } : count;
}

/** A file that could not even be loaded has no tests to fail: it counts as one. */
function readReport(file: string): Count {
  try {
    const report: VitestReport = JSON.parse(readFileSync(file, "utf8"));
    const unloaded = report.testResults.filter((one) => one.status === "failed" && one.assertionResults.length === 0);
    return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

/** Runs npm in the tree and keeps what it prints, its complaints included; `show` gets it as it comes. */
function npm(args: readonly string[], show: (text: string) => void = () => {}): Promise<Ended> {
  return new Promise((done) => {
    const child = spawn("npm", args, { cwd: tree, stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        printed += text;
        show(text);
      });
    }
    child.on("close", (code) => done({ code: code ?? 1, printed }));
  });
}

await main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.stdout.write("0 passed, 1 failed\n");
  process.exitCode = 1;
});
