import { setImmediate as immediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { Slots } from "./slots.ts";

const slots = () => new Slots({ most: 3, waiting: 3 }, { most: 2, waiting: 2 });

/** Takes a slot and says in `order` when it got it. */
async function taker(from: Slots, order: string[], holder: string): Promise<void> {
  order.push((await from.take(holder)) ? holder : `${holder} refused`);
}

test("one holder has some of the slots, and others the rest", async () => {
  const [from, order] = [slots(), [] as string[]];
  for (const holder of ["a", "a", "a", "b", "b"]) void taker(from, order, holder);
  await immediate();
  expect(order).toEqual(["a", "a", "b"]);
  from.leave("b");
  await immediate();
  expect(order).toEqual(["a", "a", "b", "b"]);
  from.leave("a");
  await immediate();
  expect(order).toEqual(["a", "a", "b", "b", "a"]);
});

test("so many wait: of one holder, and of all", async () => {
  const [from, order] = [slots(), [] as string[]];
  const holders = ["a", "a", "b", "a", "a", "a", "b", "c"];
  for (const holder of holders) void taker(from, order, holder);
  await immediate();
  expect(order).toEqual(["a", "a", "b", "a refused", "c refused"]);
});
