/** Work after a reply: at random moments, all of it before the process ends, and with failures logged. */
import { setImmediate as turn } from "node:timers/promises";
import { beforeEach, expect, test, vi } from "vitest";
import { newLog } from "../../../lib/log.ts";
import { DelayedWork } from "./delayed-work.ts";

const log = newLog("silent", "test");
const warn = vi.spyOn(log, "warn");
let delayed: DelayedWork;
let done: string[];
beforeEach(() => {
  warn.mockClear();
  delayed = new DelayedWork(log);
  done = [];
});

test("work begins by itself at random moments, not with the next request", async () => {
  const moments = new Map<number, () => void>();
  const waiting = new DelayedWork(
    log,
    (milliseconds) => new Promise<void>((begin) => moments.set(milliseconds, begin)),
  );
  for (let i = 0; i < 20; i++) waiting.add("a test", async () => done.push("later"));
  await turn();
  expect(done).toEqual([]);
  expect(moments.size).toBeGreaterThan(1);
  for (const [milliseconds, begin] of moments) {
    expect(milliseconds).toBeGreaterThanOrEqual(200);
    expect(milliseconds).toBeLessThan(2000);
    begin();
  }
  await turn();
  expect(done).toHaveLength(moments.size);
});

test("waiting work is done before the end", async () => {
  delayed.add("a test", async () => {
    await turn();
    done.push("waited for");
  });
  await delayed.close();
  expect(done).toEqual(["waited for"]);
});

test("a failure is logged, and stops nothing else", async () => {
  delayed.add("an entry", () => Promise.reject(new Error("no store")));
  delayed.add("another", async () => done.push("another"));
  await delayed.close();
  expect(done).toEqual(["another"]);
  expect(warn).toHaveBeenCalledWith({ what: "an entry", reason: "Error: no store" }, "delayed work failed");
});
