/** Numbers of zones: they are small, each belongs to one zone, and a freed number is reused late. */
import { expect, test } from "vitest";
import { ZoneNumbers } from "./numbers.ts";

test("zones are found by their numbers, and so are zones from before a restore", () => {
  const numbers = new ZoneNumbers(() => [[1, 101]]);
  numbers.count = 2;
  expect([numbers.dataOf(0), numbers.dataOf(1), numbers.dataOf(2)]).toEqual([0, 101, 0]);
  expect(numbers.take(102)).toBe(2);
  expect(numbers.dataOf(2)).toBe(102);
  numbers.free(1);
  expect(numbers.dataOf(1)).toBe(0);
});

test("added and removed zones take a bounded range of numbers, and a number is reused late", () => {
  const there = new Map<number, number>();
  const numbers = new ZoneNumbers(() => there);
  const given = new Map<number, number>();
  for (let n = 1; n <= 1000; n++) there.set(numbers.take(n), n);
  let shortest = Number.POSITIVE_INFINITY;
  for (let n = 0; n < 300_000; n++) {
    const number = numbers.take(n + 2000);
    shortest = Math.min(shortest, n - (given.get(number) ?? Number.NEGATIVE_INFINITY));
    given.set(number, n);
    numbers.free(number);
  }
  expect(numbers.count).toBe(1 << 16);
  expect(shortest).toBeGreaterThan(60_000);
  for (const [number, data] of there) expect(numbers.dataOf(number)).toBe(data);
});
