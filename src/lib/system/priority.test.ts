/** Priorities of a process of its own, as the system shows them. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

interface Thread {
  readonly nice: number;
  /** Nanoseconds; null where the system does not show them. */
  readonly slice: number | null;
}

const module = join(import.meta.dirname, "priority.ts");
const thread = `
  const { readFileSync } = await import("node:fs");
  const { getPriority } = await import("node:os");
  const slice = () => {
    try {
      return Number(/^slice\\s*:\\s*(\\d+)$/m.exec(readFileSync("/proc/thread-self/sched", "utf8"))?.[1] ?? NaN);
    } catch {
      return null;
    }
  };
  const thread = () => ({ nice: getPriority(), slice: slice() });
  const here = await import(${JSON.stringify(module)});`;

/** Runs code in a process of its own, and returns the main thread before and after it. */
function around(code: string): { before: Thread; after: Thread } {
  const program = `${thread}
    const before = thread();
    ${code}
    console.log(JSON.stringify({ before, after: thread() }));`;
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" }));
}

describe.runIf(process.platform === "linux")("priorities", () => {
  test.each([
    ["lowerThread()", 10],
    ["lowerOwnProcess()", 5],
    [`lowerProcess(process.pid, "bulk")`, 10],
    ["takeLongSlices()", 0],
  ])("%s", (call, nice) => {
    const { before, after } = around(`here.${call};`);
    expect(after.nice - before.nice).toBe(nice);
    if (before.slice !== null && after.slice !== null) expect(after.slice).toBeGreaterThanOrEqual(before.slice);
  });

  test("the session of others is left alone", () => {
    const code = `
      const { existsSync } = await import("node:fs");
      const group = () => existsSync("/proc/self/autogroup") ? readFileSync("/proc/self/autogroup", "utf8") : "";
      const was = group();
      here.lowerOwnProcess();
      if (group() !== was) throw new Error(\`\${was} became \${group()}\`);`;
    expect(around(code).after.nice).toBe(5);
  });

  test("a start takes its priority back from the threads that it started", () => {
    const { before, after } = around(`
      const { Worker } = await import("node:worker_threads");
      const { readdirSync } = await import("node:fs");
      const end = here.raiseForStart();
      const worker = new Worker("setInterval(() => {}, 1000)", { eval: true });
      await new Promise((begun) => worker.once("online", begun));
      end();
      const raised = readdirSync("/proc/self/task").filter((id) => getPriority(Number(id)) < before.nice);
      if (raised.length > 0) throw new Error(\`\${raised.length} threads are still raised\`);
      await worker.terminate();`);
    expect(after.nice).toBe(before.nice);
  });
});
