/** Times of last use: the newest time of each name is written, in one batch after the other, the last when closing. */
import { afterEach, expect, test, vi } from "vitest";
import { silent } from "../../../test/store/store.ts";
import { LastUse } from "./last-use.ts";

afterEach(() => void vi.useRealTimers());

test("a batch is written each second; close waits for it and writes the rest", async () => {
  vi.useFakeTimers();
  const batches: (readonly number[])[] = [];
  const held = Promise.withResolvers<void>();
  const uses = new LastUse<number>(async (batch) => {
    batches.push(batch);
    await held.promise;
  }, silent);
  uses.note("a", 1);
  uses.note("a", 2);
  uses.note("b", 3);
  await vi.advanceTimersByTimeAsync(1000);
  expect(batches).toEqual([[2, 3]]);
  uses.note("a", 4);
  await vi.advanceTimersByTimeAsync(5000);
  const closed = uses.close();
  expect(batches).toHaveLength(1);
  held.resolve();
  await closed;
  expect(batches).toEqual([[2, 3], [4]]);
});

test("a failed batch is dropped, and the next one is written", async () => {
  vi.useFakeTimers();
  const batches: (readonly number[])[] = [];
  const uses = new LastUse<number>(async (batch) => {
    batches.push(batch);
    if (batches.length !== 2) throw new Error("gone");
  }, silent);
  for (const use of [1, 2]) {
    uses.note("a", use);
    await vi.advanceTimersByTimeAsync(1000);
  }
  uses.note("a", 3);
  await uses.close();
  expect(batches).toEqual([[1], [2], [3]]);
});
