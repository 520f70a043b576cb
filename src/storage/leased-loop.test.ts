/** Loops of several processes under one lease, with a real store. */
import { expect, test } from "vitest";
import { testStore } from "../../test/store/store.ts";
import { type LeasedLoopOptions, leasedLoop } from "./leased-loop.ts";

const { db } = await testStore();

/** Runs a loop that records its turns under `by`. */
const start = (name: string, by: string, turns: string[], options: Partial<LeasedLoopOptions> = {}) =>
  leasedLoop({
    db,
    name,
    leaseFor: 60_000,
    renewAfter: 20_000,
    turn: () => void turns.push(by),
    every: 5,
    complain: () => {},
    ...options,
  });

test("only one loop runs turns; the next loop begins when the first has closed and drained its work", async () => {
  const turns: string[] = [];
  const leases: string[] = [];
  const onLease = (by: string) => (lease: unknown) => void leases.push(`${by} ${lease ? "got" : "lost"}`);
  const drain = async () => void leases.push("drained");
  const first = start("one", "first", turns, { onLease: onLease("first"), drain });
  await expect.poll(() => turns.length).toBeGreaterThan(2);
  const second = start("one", "second", turns, { onLease: onLease("second") });
  await expect.poll(() => turns.length).toBeGreaterThan(5);
  expect([new Set(turns), first.isHolder(), second.isHolder()]).toEqual([new Set(["first"]), true, false]);
  await first.close();
  await expect.poll(() => turns).toContain("second");
  expect(leases).toEqual(["first got", "drained", "second got"]);
  await second.close();
});

test("a lease that was not renewed in time goes to another loop, and the first loop notices", async () => {
  const turns: string[] = [];
  const leases: unknown[] = [];
  const short = { leaseFor: 300, renewAfter: 0 };
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const first = start("two", "first", turns, {
    ...short,
    turn() {
      turns.push("first");
      return held;
    },
    onLease: (lease) => leases.push(lease),
  });
  await expect.poll(() => turns).toEqual(["first"]);
  const second = start("two", "second", turns, short);
  await expect.poll(() => turns).toContain("second");
  release();
  await expect.poll(() => leases.at(-1)).toBe(undefined);
  expect([first.isHolder(), second.isHolder()]).toEqual([false, true]);
  for (const each of [first, second]) await each.close();
});

test("a turn that fails is reported, and the lease is taken again", async () => {
  const errors: string[] = [];
  const turns: string[] = [];
  const failing = start("three", "failing", turns, {
    turn() {
      turns.push("failing");
      throw new Error("broken");
    },
    complain: (error) => errors.push(String(error)),
  });
  await expect.poll(() => turns.length).toBeGreaterThan(3);
  expect(errors).toEqual(["Error: broken"]);
  await failing.close();
});
