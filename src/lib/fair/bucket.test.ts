/** Counts by key over the last minutes, with a clock of the test. */
import { expect, test } from "vitest";
import { fakeClock } from "../clock.ts";
import { Recent } from "./bucket.ts";

test("a key's count starts again from 0 a window after its first entry", () => {
  const clock = fakeClock();
  const recent = new Recent({ window: 600_000, keys: 10 }, clock);
  expect(recent.count("a")).toBe(0);
  recent.note("a", 3);
  clock.advance(599_000);
  recent.note("a");
  recent.note("b");
  expect([recent.count("a"), recent.count("b")]).toEqual([4, 1]);
  clock.advance(1000);
  expect([recent.count("a"), recent.count("b")]).toEqual([0, 1]);
  recent.note("a", 2);
  expect(recent.count("a")).toBe(2);
});

test("a count never falls below 0", () => {
  const recent = new Recent({ window: 1000, keys: 10 }, fakeClock());
  recent.note("a", -1);
  expect(recent.count("a")).toBe(0);
  recent.note("a", 2);
  recent.note("a", -1);
  expect(recent.count("a")).toBe(1);
  recent.note("a", -5);
  recent.note("a", 1);
  expect(recent.count("a")).toBe(1);
});

test("beyond its bound of keys it forgets the key that was noted longest ago", () => {
  const recent = new Recent({ window: 1000, keys: 2 }, fakeClock());
  for (const key of ["a", "b", "a", "c"]) recent.note(key);
  expect(["a", "b", "c"].map((key) => recent.count(key))).toEqual([2, 0, 1]);
});
