/** The end of what a test started. */
import { afterAll, onTestFinished, TestRunner } from "vitest";

/** Calls `close` after the test that is running; outside of tests, after the tests of the file. Not for concurrent tests. */
export function atEnd(close: () => unknown): void {
  if (TestRunner.getCurrentTest()) onTestFinished(async () => void (await close()));
  else afterAll(async () => void (await close()));
}
