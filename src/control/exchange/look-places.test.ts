import { expect, test } from "vitest";
import { LookPlaces } from "./look-places.ts";

/** So many zones of an account come in, as long as there are places for it. */
const enter = (places: LookPlaces, account_id: string, count: number, most: number) => {
  const ids = Array.from({ length: count }, (_, n) => `${account_id}${n}`);
  return ids.filter((id) => places.enter({ id, account_id }, most)).length;
};

test("an account has half of the places at most, and a zone one of them", () => {
  const places = new LookPlaces(7);
  expect(enter(places, "a", 7, places.own)).toBe(4);
  expect(places.enter({ id: "a0", account_id: "a" }, 7)).toBe(false);
  expect([enter(places, "b", 7, places.own), places.isFull]).toEqual([3, true]);
  places.leave("a0");
  expect([places.has("a0"), places.isFull, enter(places, "b", 7, places.own)]).toEqual([false, false, 1]);
});

test("a place that two accounts with all of them give back is first for others, until these have their part", () => {
  const places = new LookPlaces(20);
  expect([enter(places, "a", 20, places.part), enter(places, "b", 20, places.own)]).toEqual([10, 10]);
  expect([places.part, places.having(places.part)]).toEqual([6, ["a", "b"]]);
  for (let n = 0; n < 5; n++) places.leave(`a${n}`);
  expect(places.having(places.part)).toEqual(["b"]);
  expect([enter(places, "c", 20, places.part), places.part]).toEqual([5, 5]);
  expect(places.having(places.part)).toEqual(["a", "b", "c"]);
});

test("with more accounts than places each has one", () => {
  const places = new LookPlaces(3);
  for (const account of ["a", "b", "c"]) enter(places, account, 2, 1);
  expect([places.isFull, places.part, places.having(1)]).toEqual([true, 1, ["a", "b", "c"]]);
});
