/** Turns of background work, with a simulated clock. */
import { setImmediate as settle } from "node:timers/promises";
import { expect, test } from "vitest";
import { fakeClock } from "../../test/machine/clock.ts";
import { type LoopOptions, loop } from "./loop.ts";

/** A loop whose turns end when the test says so. */
async function started(options: Partial<LoopOptions> = {}) {
  const clock = fakeClock();
  const turns: PromiseWithResolvers<number | undefined>[] = [];
  const signals: AbortSignal[] = [];
  const errors: string[] = [];
  const running = loop({
    turn: (signal) => {
      signals.push(signal);
      const turn = Promise.withResolvers<number | undefined>();
      turns.push(turn);
      return turn.promise;
    },
    every: 1000,
    complain: (error) => errors.push(String(error)),
    timers: clock,
    ...options,
  });
  await settle();
  const advance = async (milliseconds: number) => {
    clock.advance(milliseconds);
    await settle();
  };
  const end = async (next?: number) => {
    turns.at(-1)!.resolve(next);
    await settle();
  };
  const fail = async (reason: string) => {
    turns.at(-1)!.reject(new Error(reason));
    await settle();
  };
  const wake = async () => {
    running.wake();
    await settle();
  };
  return { count: () => turns.length, errors, signals, advance, end, fail, wake, close: () => running.close() };
}

test("a turn begins a pause after the end of the previous turn, which can set the length of the pause", async () => {
  const { count, advance, end, close } = await started();
  expect(count()).toBe(1);
  await advance(5000);
  expect(count()).toBe(1);
  await end();
  await advance(999);
  expect(count()).toBe(1);
  await advance(1);
  expect(count()).toBe(2);
  await end(10);
  await advance(10);
  expect(count()).toBe(3);
  await end(0);
  expect(count()).toBe(4);
  await end();
  await close();
});

test("the first turn can be delayed", async () => {
  const { count, advance, close } = await started({ first: 500, turn: () => undefined });
  expect(count()).toBe(0);
  await advance(499);
  await close();
  const later = await started({ first: 500 });
  await later.advance(500);
  expect(later.count()).toBe(1);
  await later.end();
  await later.close();
});

test("a wake ends the pause; a wake during a turn causes another turn", async () => {
  const { count, end, wake, close } = await started();
  await end();
  await wake();
  expect(count()).toBe(2);
  for (let n = 0; n < 3; n++) await wake();
  expect(count()).toBe(2);
  await end();
  expect(count()).toBe(3);
  await end();
  expect(count()).toBe(3);
  await close();
});

test("several wakes within the time to gather cause one turn", async () => {
  const { count, advance, end, wake, close } = await started({ gather: 20 });
  await advance(20);
  await end();
  await wake();
  await advance(19);
  await wake();
  expect(count()).toBe(1);
  await advance(1);
  expect(count()).toBe(2);
  await end();
  await advance(20);
  expect(count()).toBe(2);
  await close();
});

test("an error is reported once for each kind until a turn succeeds, and the loop continues", async () => {
  const { errors, advance, end, fail, close } = await started();
  for (const reason of ["away", "away", "starting", "away"]) {
    await fail(reason);
    await advance(1000);
  }
  expect(errors).toEqual(["Error: away", "Error: starting"]);
  for (let n = 0; n < 9; n++) {
    await fail(`number ${n}`);
    await advance(1000);
  }
  expect(errors).toHaveLength(5);
  await end();
  await advance(1000);
  await fail("away");
  expect(errors).toHaveLength(6);
  await close();
});

test("an error that a turn throws synchronously is reported, too", async () => {
  const errors: unknown[] = [];
  const turn = () => {
    throw new Error("at once");
  };
  const { close } = await started({ turn, complain: (error) => errors.push(error) });
  expect(errors).toHaveLength(1);
  await close();
});

test("close aborts the turn under way and waits for it, and its failure is not reported", async () => {
  const { count, errors, signals, fail, close, wake } = await started();
  let isClosed = false;
  const closed = close().then(() => (isClosed = true));
  await wake();
  expect([signals[0]!.aborted, isClosed]).toEqual([true, false]);
  await fail("aborted");
  await closed;
  expect([count(), errors]).toEqual([1, []]);
});

test("close ends a pause at once", async () => {
  const { count, close } = await started({ gather: 20, first: 10 });
  await close();
  expect(count()).toBe(0);
  const resting = await started();
  await resting.end();
  await resting.close();
  expect(resting.count()).toBe(1);
});
