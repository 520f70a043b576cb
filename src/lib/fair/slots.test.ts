/** Places that accounts share. */
import { expect, test } from "vitest";
import { Places } from "./slots.ts";

test("one account gets so many places, all together get so many, and what is given back is had again", () => {
  const places = new Places({ all: 3, own: 2 }, "there is no place");
  const [leave] = [places.enter("a"), places.enter("a")];
  expect(() => places.enter("a")).toThrow("there is no place");
  places.enter("b");
  expect(() => places.enter("c")).toThrow("there is no place");
  leave!();
  places.enter("c");
  expect(() => places.enter("a")).toThrow("there is no place");
});

test("an account that has less than its part gets places beyond those that others have, and who has its part gets none", () => {
  const places = new Places({ all: 20, own: 10, most: 60 }, "there is no place");
  /** How many an account gets until there is none. */
  const fill = (account: string) => {
    for (let count = 0; ; count++) {
      try {
        places.enter(account);
      } catch {
        return count;
      }
    }
  };
  const accounts = Array.from({ length: 60 }, (_, n) => `account${n}`);
  const counts = accounts.map(fill);
  expect(counts.slice(0, 12)).toEqual([10, 10, 6, 5, 4, 3, 2, 2, 2, 2, 1, 1]);
  expect(counts.reduce((sum, count) => sum + count)).toBe(60);
  expect(counts.filter((count) => count > 0).length).toBe(24);
});

test("who has its part and more gets another place when all have no more than there are", () => {
  const places = new Places({ all: 4, own: 3, most: 9 }, "there is no place");
  const held = ["a", "a", "b", "b", "c"].map((account) => places.enter(account));
  expect(() => places.enter("a")).toThrow("there is no place");
  for (const leave of held.splice(3)) leave();
  places.enter("a");
  expect(() => places.enter("a")).toThrow("there is no place");
});
