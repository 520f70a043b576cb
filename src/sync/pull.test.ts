/** How far a subscription over a slow link reports to be behind. */
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { silent } from "../../test/store/store.ts";
import { PullSubscription } from "./pull.ts";
import type { StreamSource } from "./stream-source.ts";

interface Message {
  readonly revision: number;
  readonly previous: number;
}

afterEach(() => void vi.useRealTimers());

/** A source at revision 1. The test itself answers the requests for the head. */
function slowSource() {
  const asked: ((head: number) => void)[] = [];
  const source: StreamSource<Message, Message> = {
    notifies: false,
    store: async () => "store",
    head: () => new Promise((resolve) => asked.push(resolve)),
    read: async () => ({ messages: [], more: false }),
    baseline: (take) => take({ revision: 1, previous: 0 }),
    end: () => {
      for (const answer of asked.splice(0)) answer(1);
    },
  };
  return { source, asked };
}

test("`behind` includes the time that the source takes to answer", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const { source, asked } = slowSource();
  const follower = { start: async () => {}, apply: () => {} };
  const subscription = new PullSubscription({
    open: async () => source,
    follower,
    subject: "test",
    reasonOf: String,
    log: silent,
  });
  onTestFinished(() => subscription.close());
  const untilAsked = async () => {
    while (asked.length === 0) await delay(1);
  };
  await untilAsked();
  vi.advanceTimersByTime(7000);
  asked.shift()!(1);
  await untilAsked();
  expect(subscription.behind).toBe(7000);
  asked.shift()!(1);
  await untilAsked();
  expect(subscription.behind).toBe(0);
});
