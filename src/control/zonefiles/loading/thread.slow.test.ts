/** A loading thread and the consumer of its steps: their pace and their errors. */
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Order } from "../../../../test/service/loading-thread.ts";
import { WireError } from "../../../dns/wire/wire.ts";
import { invalid } from "../../../lib/problem.ts";
import { LoadingThread } from "./thread.ts";

const entry = new URL("../../../../test/service/loading-thread.ts", import.meta.url);

function threadWith(take: (step: number) => Promise<void>, signal = new AbortController().signal) {
  const thread = new LoadingThread<Order, number, string>({ entry, name: "test", data: {}, signal, take });
  onTestFinished(() => thread.close());
  return thread;
}

test("steps are taken one after the other, and all are taken when the thread has settled", async () => {
  const taken: number[] = [];
  let under = 0;
  const thread = threadWith(async (step) => {
    expect(++under).toBe(1);
    await delay(1);
    taken.push(step);
    under--;
  });
  expect([await thread.ask(2), await thread.ask(20)]).toEqual(["2 steps", "20 steps"]);
  await thread.settle();
  expect(taken).toEqual([0, 1, ...Array(20).keys()]);
});

test("the thread is only a few steps ahead", async () => {
  const { promise: later, resolve } = Promise.withResolvers<void>();
  const thread = threadWith(() => later);
  expect(await thread.ask(3)).toBe("3 steps");
  const next = thread.ask(1);
  expect(await Promise.race([next, delay(200, "waits")])).toBe("waits");
  resolve();
  expect(await next).toBe("1 steps");
});

describe("an error is passed on", () => {
  test.each<[Order, Error]>([
    ["odd octets", new WireError("odd octets")],
    ["a client's mistake", invalid("a client's mistake", { field: "zonefile" })],
    ["an internal error", new TypeError("an internal error")],
  ])("%s", async (asked, error) => {
    await expect(threadWith(async () => {}).ask(asked)).rejects.toEqual(error);
  });

  test("from the consumer of steps", async () => {
    const full = new Error("the disk is full");
    const thread = threadWith(() => Promise.reject(full));
    await expect(thread.ask(10)).rejects.toBe(full);
    await expect(thread.settle()).rejects.toBe(full);
  });

  test("when the service stops", async () => {
    const ending = new AbortController();
    const ended = new Promise<void>((resolve) => ending.signal.addEventListener("abort", () => resolve()));
    const thread = threadWith(() => ended, ending.signal);
    const asked = thread.ask(10);
    ending.abort(new Error("the service ends"));
    await expect(asked).rejects.toThrow("the service ends");
    await expect(thread.ask(1)).rejects.toThrow("the service ends");
  });
});
