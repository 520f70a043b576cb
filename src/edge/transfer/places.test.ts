import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { Places } from "./places.ts";

const places = () => new Places({ most: 3, waiting: 3 }, { most: 2, waiting: 2 });

/** Takes a place and says in `order` when it got it. */
async function taker(from: Places, order: string[], holder: string): Promise<void> {
  order.push((await from.take(holder)) ? holder : `${holder} refused`);
}

test("one holder has some of the places, and others the rest", async () => {
  const [from, order] = [places(), [] as string[]];
  for (const holder of ["a", "a", "a", "b", "b"]) void taker(from, order, holder);
  await turn();
  expect(order).toEqual(["a", "a", "b"]);
  from.leave("b");
  await turn();
  expect(order).toEqual(["a", "a", "b", "b"]);
  from.leave("a");
  await turn();
  expect(order).toEqual(["a", "a", "b", "b", "a"]);
});

test("so many wait: of one holder, and of all", async () => {
  const [from, order] = [places(), [] as string[]];
  const holders = ["a", "a", "b", "a", "a", "a", "b", "c"];
  for (const holder of holders) void taker(from, order, holder);
  await turn();
  expect(order).toEqual(["a", "a", "b", "a refused", "c refused"]);
});
