/** The result of one run of a project, from vitest's JSON report: the number of passed tests, and the failures. */
import { readFileSync } from "node:fs";

/** The results of one test file. */
export interface FileReport {
  readonly file: string;
  readonly passed: number;
  readonly failures: readonly Failure[];
}

export interface Failure {
  /** The test's full name, or a word for a failure outside tests. */
  readonly name: string;
  readonly message: string;
}

/** The part of the JSON report that is read. */
interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
}

/** Nothing when there is no report: the run ended before it could be written. */
export function readReport(path: string): FileReport[] {
  let report: VitestReport;
  try {
    report = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return [];
  }
  return report.testResults.map(({ name, status, message, assertionResults }) => {
    const failures = assertionResults
      .filter((one) => one.status === "failed")
      .map(({ fullName, failureMessages }) => ({ name: fullName, message: failureMessages?.[0] ?? "" }));
    // a failure outside a test, such as in a hook or an import, is not a test's result
    if (status === "failed" && failures.length === 0) failures.push({ name: "(the file itself)", message });
    return { file: name, passed: assertionResults.filter((one) => one.status === "passed").length, failures };
  });
}
