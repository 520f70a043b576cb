/** Places that accounts share. */
import { expect, test } from "vitest";
import { Places } from "./places.ts";

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
