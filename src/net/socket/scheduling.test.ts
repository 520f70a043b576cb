/** Short time slices of threads, where the system supports and shows them. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { takeShortSlices } from "./scheduling.ts";

/** Nanoseconds; undefined where the system does not show them. */
function sliceOfThread(): number | undefined {
  try {
    const told = /^slice\s*:\s*(\d+)$/m.exec(readFileSync("/proc/thread-self/sched", "utf8"));
    return told ? Number(told[1]) : undefined;
  } catch {
    return undefined;
  }
}

test("the slices of a thread do not become longer", () => {
  const before = sliceOfThread();
  takeShortSlices();
  const after = sliceOfThread();
  expect(after === undefined || after === before || after === 100_000).toBe(true);
});
