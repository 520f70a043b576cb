/**
 * Runs the named test projects, or all, and the checks. Any other word is a pattern: then only files with a pattern in
 * their path run, without the checks. If at most thirty files have failed tests, these files run once more, one after
 * another, and the second result is valid, since many tests wait for processes and share the machine; files that pass
 * only then are named as well. With `--once`, the first result is valid. Ends with one line, `N passed, M failed`, and
 * fails if anything failed.
 */
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { runChecks } from "./checks.ts";
import { provideDebianPackages } from "./machine/debian.ts";
import { run, tree } from "./programs.ts";
import { type FileReport, readReport } from "./report.ts";

/** The files of the projects whose tests run other people's programs. */
const filesWithPrograms: Readonly<Record<string, readonly string[]>> = {
  slow: ["src/**/*.slow.test.ts", "test/**/*.slow.test.ts"],
  flows: ["test/flows/**/*.test.ts"],
  interop: ["test/interop/**/*.test.ts", "test/portal/**/*.test.ts"],
};
const everything = ["unit", "slow", "flows", "interop"];
const words = process.argv.slice(2).filter((word) => word !== "--once");
const once = process.argv.includes("--once");
const patterns = words.filter((word) => !everything.includes(word));
const projects = everything.filter((project) => words.includes(project) || words.length === patterns.length);
/** More failed files than this probably share a cause, which a second run does not remove. */
const filesRunAgain = 30;
/** Lines of the tests' own summaries, shown again at the end. */
const summary = /^(differential|mutants|faults|steering|fuzz|permissions): .*$/gm;

interface Count {
  readonly passed: number;
  readonly failed: number;
}

async function main(): Promise<void> {
  if (projects.some((project) => filesWithPrograms[project]?.some(someMatch))) provideDebianPackages();
  const closing: string[] = [];
  const counts: Count[] = [];
  if (patterns.length > 0) counts.push(await runProjects(projects, closing));
  else {
    // during the first tests, which wait more than they compute
    const checked = countChecks(closing);
    // the other projects run together, so that no worker is idle during a long file
    const runs = [["unit"], ["slow", "flows", "interop"]].map((one) => one.filter((name) => projects.includes(name)));
    for (const chosen of runs.filter(({ length }) => length > 0)) {
      counts.push(await runProjects(chosen, closing));
      if (counts.length === 1) counts.push(...(await checked));
    }
  }
  const passed = counts.reduce((sum, count) => sum + count.passed, 0);
  const failed = counts.reduce((sum, count) => sum + count.failed, 0);
  process.stdout.write(`\n${closing.map((line) => `${line}\n`).join("")}\n${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}

const someMatch = (files: string) =>
  patterns.length === 0 ||
  globSync(files, { cwd: tree }).some((file) => patterns.some((pattern) => join(tree, file).includes(pattern)));

/** A failed check counts as one failure; a passed one is not counted, since it is not a test. */
async function countChecks(closing: string[]): Promise<Count[]> {
  const results = await runChecks((name, printed) => process.stdout.write(`\n== ${name}\n${printed}`));
  closing.push(...results.filter(({ code }) => code !== 0).map(({ name }) => `failed: ${name}`));
  return results.map(({ code }) => ({ passed: 0, failed: code === 0 ? 0 : 1 }));
}

/** Runs projects, then their failed files once more; `closing` receives text for the end of the output. */
async function runProjects(chosen: readonly string[], closing: string[]): Promise<Count> {
  const title = [...chosen, ...patterns].join(" ");
  process.stdout.write(`\n== ${title}\n`);
  const first = await runTests(chosen, patterns, closing);
  const failed = first.filter(({ failures }) => failures.length > 0);
  const canBeNamed = failed.every(({ file }) => file !== "");
  if (once || failed.length === 0 || failed.length > filesRunAgain || !canBeNamed) return count(first, closing);
  const files = failed.map(({ file }) => file);
  process.stdout.write(`\n== ${title}, once more: ${files.map((file) => relative(tree, file)).join(", ")}\n`);
  closing.push(...failed.flatMap(describe).map((line) => `failed once: ${line}`));
  const second = await runTests(chosen, ["--maxWorkers=1", ...files], closing);
  return count([...first.filter(({ file }) => !files.includes(file)), ...second], closing);
}

function count(reports: readonly FileReport[], closing: string[]): Count {
  const failures = reports.flatMap(describe);
  closing.push(...failures.map((line) => `failed: ${line}`));
  return { passed: reports.reduce((sum, { passed }) => sum + passed, 0), failed: failures.length };
}

/** One line for each failure: the test, and the first line of its message. */
function describe({ file, failures }: FileReport): string[] {
  const where = file === "" ? "" : `${relative(tree, file)} > `;
  return failures.map(({ name, message }) => `${where}${name}: ${message.split("\n", 1)[0]}`);
}

/**
 * Runs vitest once. A run without any test, or one that fails without naming a test, counts as one failure without a
 * file.
 */
async function runTests(
  chosen: readonly string[],
  further: readonly string[],
  closing: string[],
): Promise<FileReport[]> {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-report-"));
  const path = join(directory, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${path}`];
  const named = chosen.map((project) => `--project=${project}`);
  const args = ["run", ...named, ...reporters, ...further];
  const { code, printed } = await run("vitest", args, (text) => process.stdout.write(text));
  closing.push(...(printed.match(summary) ?? []));
  const reports = readReport(path);
  rmSync(directory, { recursive: true });
  const isSaid = reports.some(({ passed, failures }) => failures.length > 0 || (code === 0 && passed > 0));
  const message = code === 0 ? "no test ran" : `ended with ${code}`;
  return isSaid ? reports : [...reports, { file: "", passed: 0, failures: [{ name: chosen.join(" "), message }] }];
}

await main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.stdout.write("0 passed, 1 failed\n");
  process.exitCode = 1;
});
