import { expect, test } from "vitest";
import { Places } from "./places.ts";

test("so many at once, so many more wait in their order, and the rest go without", async () => {
  const places = new Places(2, 2);
  const got: number[] = [];
  const take = async (number: number) => ((await places.take()) ? void got.push(number) : got.push(-number));
  const all = [1, 2, 3, 4, 5].map(take);
  await Promise.all([all[0], all[1], all[4]]);
  expect(got).toEqual([1, 2, -5]);
  places.leave();
  places.leave();
  await Promise.all(all);
  expect(got).toEqual([1, 2, -5, 3, 4]);
});
