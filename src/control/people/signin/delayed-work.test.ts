/** Work after a reply: at random moments, all of it before the process ends, and with failures logged. */
import { setImmediate as turn } from "node:timers/promises";
import { beforeEach, expect, test, vi } from "vitest";
import { newLog } from "../../../lib/log.ts";
import { Afterwards } from "./delayed-work.ts";

const log = newLog("silent", "test");
const warn = vi.spyOn(log, "warn");
let afterwards: Afterwards;
let done: string[];
beforeEach(() => {
  warn.mockClear();
  afterwards = new Afterwards(log);
  done = [];
});

test("begins by itself at random moments, not with the next request", async () => {
  const moments = new Map<number, () => void>();
  const waiting = new Afterwards(log, (milliseconds) => new Promise<void>((begin) => moments.set(milliseconds, begin)));
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
  afterwards.add("a test", async () => {
    await turn();
    done.push("waited for");
  });
  await afterwards.close();
  expect(done).toEqual(["waited for"]);
});

test("a failure is logged, and stops nothing else", async () => {
  afterwards.add("an entry", () => Promise.reject(new Error("no store")));
  afterwards.add("another", async () => done.push("another"));
  await afterwards.close();
  expect(done).toEqual(["another"]);
  expect(warn).toHaveBeenCalledWith({ what: "an entry", reason: "Error: no store" }, "work after a request failed");
});
