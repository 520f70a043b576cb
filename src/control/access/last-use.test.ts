/** Times of last use: the newest of each, one batch after the other, all of them before the end. */
import { expect, test } from "vitest";
import { silent } from "../../../test/store/store.ts";
import { LastUse } from "./last-use.ts";

test("a batch waits for the one before, and the end for both", async () => {
  const batches: (readonly number[])[] = [];
  const held = Promise.withResolvers<void>();
  const uses = new LastUse<number>(async (batch) => {
    batches.push(batch);
    await held.promise;
  }, silent);
  uses.note("a", 1);
  uses.note("a", 2);
  uses.note("b", 3);
  const first = uses.close();
  await expect.poll(() => batches, { timeout: 10_000 }).toEqual([[2, 3]]);
  uses.note("a", 4);
  const second = uses.close();
  expect(batches).toHaveLength(1);
  held.resolve();
  await Promise.all([first, second]);
  expect(batches).toEqual([[2, 3], [4]]);
});

test("a store that fails is asked again with the next ones", async () => {
  const batches: (readonly number[])[] = [];
  const uses = new LastUse<number>(async (batch) => {
    batches.push(batch);
    if (batches.length === 1) throw new Error("gone");
  }, silent);
  uses.note("a", 1);
  await uses.close();
  uses.note("a", 2);
  await uses.close();
  expect(batches).toEqual([[1], [2]]);
});
