/** Late work, with a simulated clock: all of the time while nobody else waits, otherwise a tenth. */
import { setImmediate as nextRound } from "node:timers/promises";
import { expect, test } from "vitest";
import { LateWork } from "./late-work.ts";

/** Runs rounds with other work of so many milliseconds in each, and late work of one millisecond a piece without end. */
async function run(rounds: number, others: number): Promise<number> {
  const clock = { now: 0 };
  const late = new LateWork(() => clock.now);
  let spent = 0;
  const go = () => {
    clock.now++;
    spent++;
    late.add("a", "1", go);
  };
  late.add("a", "1", go);
  for (let round = 0; round < rounds; round++) {
    clock.now += others;
    if (others > 0) late.otherDone();
    await nextRound();
  }
  return spent / clock.now;
}

test("late work gets a tenth of the time while there is other work", async () => {
  const share = await run(2000, 0.5);
  expect(share).toBeGreaterThan(0.08);
  expect(share).toBeLessThan(0.12);
});

test("late work gets all of the time while there is no other work", async () => {
  expect(await run(100, 0)).toBe(1);
});

test("hosts take turns, and so do the connections of each", async () => {
  const late = new LateWork(() => 0);
  const order: string[] = [];
  for (const [host, connection] of ["a1", "a1", "a2", "b1"].map((name) => [name[0]!, name] as const)) {
    late.add(host, connection, () => order.push(connection));
  }
  expect(late.size).toBe(4);
  for (let round = 0; round < 4; round++) await nextRound();
  expect(order).toEqual(["a1", "b1", "a2", "a1"]);
});
