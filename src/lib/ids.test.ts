/** Ids: unique, in the order of their creation, and without a trace of other ids. */
import { expect, test } from "vitest";
import { newId } from "./ids.ts";

const hex = /^[0-9a-f]{24}$/;
const randomPart = (id: string) => Number.parseInt(id.slice(11), 16);

test("ids are unique and in the order of their creation, also many of one moment", () => {
  const now = 1_700_000_000_123;
  const ids = [...Array.from({ length: 100_000 }, () => newId(now)), newId(now + 1), newId(now + 1000)];
  expect(ids.every((id) => hex.test(id) && id.startsWith("6553f1"))).toBe(true);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

test("an id says nothing about the ids before it", () => {
  const now = 1_700_000_000_000;
  const later = Array.from({ length: 1000 }, (_, n) => randomPart(newId(now + n)));
  // the random parts are spread evenly, instead of following one another
  const steps = later.slice(1).map((part, i) => Math.abs(part - later[i]!));
  expect(steps.filter((step) => step < 2 ** 40).length).toBeLessThan(20);
  const ofOneMoment = Array.from({ length: 1000 }, () => randomPart(newId(now)));
  const gaps = ofOneMoment.slice(1).map((part, i) => part - ofOneMoment[i]!);
  expect(new Set(gaps).size).toBeGreaterThan(990);
});
