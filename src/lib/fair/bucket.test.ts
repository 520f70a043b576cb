/** Rate limits and counts by key, with a simulated clock. */
import { describe, expect, test } from "vitest";
import { fakeClock } from "../../../test/machine/clock.ts";
import { Buckets, RecentCounts } from "./bucket.ts";

test("a key's count starts again from 0 one window after its first event", () => {
  const clock = fakeClock();
  const recent = new RecentCounts({ window: 600_000, keys: 10 }, clock);
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
  const recent = new RecentCounts({ window: 1000, keys: 10 }, fakeClock());
  recent.note("a", -1);
  expect(recent.count("a")).toBe(0);
  recent.note("a", 2);
  recent.note("a", -1);
  expect(recent.count("a")).toBe(1);
  recent.note("a", -5);
  recent.note("a", 1);
  expect(recent.count("a")).toBe(1);
});

test("above the limit of keys, the key with the oldest last event is dropped", () => {
  const recent = new RecentCounts({ window: 1000, keys: 2 }, fakeClock());
  for (const key of ["a", "b", "a", "c"]) recent.note(key);
  expect(["a", "b", "c"].map((key) => recent.count(key))).toEqual([2, 0, 1]);
});

describe("rate limits", () => {
  test("a full bucket allows its limit at once, and then reports when to retry", () => {
    const buckets = new Buckets(fakeClock());
    const rate = { limit: 3, period: 10 };
    expect([1, 2, 3].map(() => buckets.take("a", rate).remaining)).toEqual([2, 1, 0]);
    expect(buckets.take("a", rate)).toEqual({ ...rate, allowed: false, remaining: 0, retryAfter: 4 });
    expect(buckets.take("b", rate).allowed).toBe(true);
  });

  test("a bucket refills evenly", () => {
    const clock = fakeClock();
    const buckets = new Buckets(clock);
    const rate = { limit: 2, period: 10 };
    buckets.take("a", rate);
    buckets.take("a", rate);
    clock.advance(4999);
    expect(buckets.take("a", rate).allowed).toBe(false);
    clock.advance(1);
    expect(buckets.take("a", rate)).toMatchObject({ allowed: true, remaining: 0 });
    clock.advance(10_000);
    expect(buckets.take("a", rate)).toMatchObject({ allowed: true, remaining: 1 });
  });

  test("fractions of a millisecond do not cost a request", () => {
    const buckets = new Buckets(fakeClock());
    const rate = { limit: 10_000, period: 1 };
    const taken = Array.from({ length: 10_001 }, () => buckets.take("a", rate));
    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(10_000);
    expect(taken[9_998]).toMatchObject({ remaining: 1 });
  });

  test("a clock that was set back blocks no bucket", () => {
    const clock = fakeClock();
    const buckets = new Buckets(clock);
    const take = () => buckets.take("a", { limit: 1, period: 1 });
    take();
    clock.advance(-3_600_000);
    expect(take()).toMatchObject({ allowed: true });
    expect(take()).toMatchObject({ allowed: false, retryAfter: 1 });
    clock.advance(1000);
    expect(take()).toMatchObject({ allowed: true });
  });

  test("buckets that are full again are dropped, and the number of buckets is limited", () => {
    const clock = fakeClock();
    const buckets = new Buckets(clock);
    for (let n = 0; n < 5000; n++) buckets.take(`old ${n}`, { limit: 1, period: 1 });
    clock.advance(2000);
    for (let n = 0; n < 20_000; n++) buckets.take(`new ${n}`, { limit: 1, period: 1000 });
    expect(buckets.size).toBeLessThanOrEqual(20_000);
    for (let n = 0; n < 120_000; n++) buckets.take(`many ${n}`, { limit: 1, period: 1000 });
    expect(buckets.size).toBeLessThanOrEqual(100_001);
  });
});
