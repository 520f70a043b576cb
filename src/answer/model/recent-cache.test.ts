/** The values that the cache drops, and its bound. */
import { expect, test } from "vitest";
import { RecentCache } from "./recent-cache.ts";

test("used values stay, unused values are dropped, and the octets stay within twice the bound", () => {
  const cache = new RecentCache<{ octets: number; number: number }>(1000);
  for (let number = 1; number <= 500; number++) {
    cache.keep(number, { octets: 10, number });
    expect(cache.find(1)).toMatchObject({ number: 1 });
  }
  const kept = Array.from({ length: 500 }, (_, i) => i + 1).filter((number) => cache.find(number) !== undefined);
  expect(kept).toContain(500);
  expect(kept).not.toContain(100);
  expect(kept.length).toBeLessThanOrEqual(210);
});

test("a number without a value is not found", () => {
  expect(new RecentCache(10).find(1)).toBeUndefined();
});
