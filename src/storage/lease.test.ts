import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { lockAwaited, testStore } from "../../test/store/store.ts";
import { holdLease, releaseLease, takeLease } from "./lease.ts";

const store = await testStore();
const { db } = store;

test("there is one holder at a time, and a new one has a larger token", async () => {
  const first = await takeLease(db, "job", "a", 10_000);
  expect(first).toEqual({ name: "job", holder: "a", token: 1 });
  expect(await takeLease(db, "job", "b", 10_000)).toBeUndefined();
  expect(await takeLease(db, "job", "a", 10_000)).toEqual(first);
  expect(await takeLease(db, "other", "b", 10_000)).toMatchObject({ token: 1 });
  await releaseLease(db, first!);
  expect(await takeLease(db, "job", "b", 10_000)).toMatchObject({ holder: "b", token: 2 });
});

test("an expired lease can be taken", async () => {
  await takeLease(db, "short", "a", 50);
  await delay(80);
  expect(await takeLease(db, "short", "b", 10_000)).toMatchObject({ holder: "b", token: 2 });
  expect(await takeLease(db, "short", "a", 10_000)).toBeUndefined();
});

test("a lease from before the store's clock was set back can be taken", async () => {
  await takeLease(db, "ahead", "a", 3_600_000);
  expect(await takeLease(db, "ahead", "b", 3_500_000)).toBeUndefined();
  expect(await takeLease(db, "ahead", "b", 10_000)).toMatchObject({ holder: "b", token: 2 });
});

test("the next process of an instance takes over at once, and the earlier one cannot take the lease back", async () => {
  const first = await takeLease(db, "heir", "one a", 10_000);
  expect(await takeLease(db, "heir", "two b", 10_000)).toBeUndefined();
  expect(await takeLease(db, "heir", "one c", 10_000)).toMatchObject({ holder: "one c", token: 2 });
  expect(await store.transaction((tx) => holdLease(tx, first!))).toBe(false);
  for (const earlier of ["one a", "one b"]) expect(await takeLease(db, "heir", earlier, 10_000)).toBeUndefined();
  expect(await takeLease(db, "heir", "one c", 10_000)).toMatchObject({ holder: "one c", token: 2 });
});

test("one of many concurrent requests gets the lease", async () => {
  const asked = Array.from({ length: 12 }, (_, n) => takeLease(db, "crowd", `holder${n}`, 10_000));
  expect((await Promise.all(asked)).filter((lease) => lease !== undefined)).toHaveLength(1);
});

test("a process that lost a lease cannot release it", async () => {
  const lost = await takeLease(db, "kept", "a", 1);
  await delay(20);
  await takeLease(db, "kept", "b", 10_000);
  await releaseLease(db, lost!);
  expect(await takeLease(db, "kept", "c", 10_000)).toBeUndefined();
});

test("a lease that is held in a transaction cannot be taken before its end, and a lost lease cannot be held", async () => {
  const first = await takeLease(db, "held", "first", 1);
  expect(first).toBeDefined();
  let isTaken = false;
  await store.transaction(async (tx) => {
    expect(await holdLease(tx, first!)).toBe(true);
    void takeLease(db, "held", "second", 60_000).then((lease) => (isTaken = lease !== undefined));
    await lockAwaited(store);
    expect(isTaken).toBe(false);
  });
  await expect.poll(() => isTaken).toBe(true);
  expect(await store.transaction((tx) => holdLease(tx, first!))).toBe(false);
});
