import { setImmediate as look } from "node:timers/promises";
import { expect, test } from "vitest";
import { LongWork } from "./yield.ts";

test("only one of many pieces of long work runs in one turn of the event loop", async () => {
  const worked: number[] = [];
  const workers = Array.from({ length: 8 }, async (_, worker) => {
    const work = new LongWork();
    for (const until = performance.now() + 60; performance.now() < until; ) {
      worked.push(worker);
      await work.giveWay();
    }
  });
  let isOver = false;
  const all = Promise.all(workers).then(() => (isOver = true));
  const between: number[] = [];
  // all first steps are over now
  await look();
  worked.length = 0;
  while (!isOver) {
    await look();
    between.push(new Set(worked.splice(0)).size);
  }
  await all;
  expect(Math.max(...between)).toBe(1);
  expect(between.length).toBeGreaterThan(8);
});
