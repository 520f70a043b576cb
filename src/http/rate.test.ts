import { describe, expect, test } from "vitest";
import { fakeClock } from "../lib/clock.ts";
import { Limiter } from "./rate.ts";

describe("rate limits", () => {
  test("a full bucket allows its limit at once, and then tells when to come back", () => {
    const limiter = new Limiter(fakeClock());
    const rate = { limit: 3, period: 10 };
    expect([1, 2, 3].map(() => limiter.take("a", rate).remaining)).toEqual([2, 1, 0]);
    expect(limiter.take("a", rate)).toEqual({ ...rate, allowed: false, remaining: 0, retryAfter: 4 });
    expect(limiter.take("b", rate).allowed).toBe(true);
  });

  test("a bucket refills evenly", () => {
    const clock = fakeClock();
    const limiter = new Limiter(clock);
    const rate = { limit: 2, period: 10 };
    limiter.take("a", rate);
    limiter.take("a", rate);
    clock.advance(4999);
    expect(limiter.take("a", rate).allowed).toBe(false);
    clock.advance(1);
    expect(limiter.take("a", rate)).toMatchObject({ allowed: true, remaining: 0 });
    clock.advance(10_000);
    expect(limiter.take("a", rate)).toMatchObject({ allowed: true, remaining: 1 });
  });

  test("fractions of a millisecond do not cost a request", () => {
    const limiter = new Limiter(fakeClock());
    const rate = { limit: 10_000, period: 1 };
    const taken = Array.from({ length: 10_001 }, () => limiter.take("a", rate));
    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(10_000);
    expect(taken[9_998]).toMatchObject({ remaining: 1 });
  });

  test("a clock that was set back locks no bucket", () => {
    const clock = fakeClock();
    const limiter = new Limiter(clock);
    const take = () => limiter.take("a", { limit: 1, period: 1 });
    take();
    clock.advance(-3_600_000);
    expect(take()).toMatchObject({ allowed: true });
    expect(take()).toMatchObject({ allowed: false, retryAfter: 1 });
    clock.advance(1000);
    expect(take()).toMatchObject({ allowed: true });
  });

  test("full buckets are forgotten, and the number of buckets is bounded", () => {
    const clock = fakeClock();
    const limiter = new Limiter(clock);
    for (let n = 0; n < 5000; n++) limiter.take(`old ${n}`, { limit: 1, period: 1 });
    clock.advance(2000);
    for (let n = 0; n < 20_000; n++) limiter.take(`new ${n}`, { limit: 1, period: 1000 });
    expect(limiter.size).toBeLessThanOrEqual(20_000);
    for (let n = 0; n < 120_000; n++) limiter.take(`many ${n}`, { limit: 1, period: 1000 });
    expect(limiter.size).toBeLessThanOrEqual(100_001);
  });
});
