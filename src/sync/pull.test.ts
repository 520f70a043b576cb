/** How far a subscription over a slow link reports to be behind. */
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { silent } from "../../test/store/store.ts";
import { PullSubscription } from "./pull.ts";
import type { Numeral, Sequenced, StreamSource } from "./stream-source.ts";

afterEach(() => void vi.useRealTimers());

const first: Numeral = { revision: 1, mark: "a" };

/** A source at revision 1. The test itself answers the requests for the head. */
function slowSource() {
  const asked: ((head: Numeral) => void)[] = [];
  const source: StreamSource<Numeral, Sequenced> = {
    notifies: false,
    store: async () => "store",
    head: () => new Promise((resolve) => asked.push(resolve)),
    read: async () => ({ messages: [], more: false }),
    baseline: (take) => take(first),
    end: () => {
      for (const answer of asked.splice(0)) answer(first);
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
  asked.shift()!(first);
  await untilAsked();
  expect(subscription.behind).toBe(7000);
  asked.shift()!(first);
  await untilAsked();
  expect(subscription.behind).toBe(0);
});

/** A source of these messages; `head` is the last of them, or another revision. */
const sourceOf = (
  messages: readonly Sequenced[],
  head: Numeral = messages.at(-1)!,
): StreamSource<Numeral, Sequenced> => ({
  notifies: true,
  store: async () => "store",
  head: async () => head,
  read: async (after) => ({ messages: messages.filter(({ revision }) => revision > after), more: false }),
  baseline: (take) => take(head),
  end: () => {},
});

const message = (revision: number, mark: string, previous_mark: string): Sequenced => ({
  ...{ revision, mark, previous: revision - 1, previous_mark },
});

test.each([
  ["continues in a store that has its revision with its mark", [message(2, "b", "a"), message(3, "c", "b")], 0],
  ["begins anew in a store that has gone on from an earlier revision", [message(2, "x", "a"), message(3, "y", "x")], 1],
  ["begins anew in a store that has gone back and on to the same revision", [message(2, "x", "a")], 1],
  ["begins anew in a store that has gone back", [message(1, "a", "")], 1],
])("a follower at revision 2 %s", async (_, messages, baselines) => {
  const taken: Numeral[] = [];
  const applied: Sequenced[] = [];
  const subscription = new PullSubscription({
    open: async () => sourceOf(messages),
    follower: { start: async (baseline) => void taken.push(baseline), apply: (given) => void applied.push(...given) },
    from: { revision: 2, mark: "b", store: "store", currentAt: 0 },
    ...{ subject: "test", reasonOf: String, log: silent },
  });
  onTestFinished(() => subscription.close());
  await vi.waitFor(() => expect(subscription.revision).toBe(messages.at(-1)!.revision), 2000);
  await vi.waitFor(() => expect(taken).toHaveLength(baselines));
  expect(applied).toHaveLength(1 - baselines);
  expect(subscription.markOf(subscription.revision)).toBe(messages.at(-1)!.mark);
});

test("a follower that lets messages wait knows the mark of what it has applied", async () => {
  let applied = 1;
  const messages = [message(2, "b", "a"), message(3, "c", "b")];
  const subscription = new PullSubscription({
    open: async () => sourceOf(messages),
    follower: { start: async () => {}, apply: () => {}, applied: () => applied },
    from: { ...first, store: "store", currentAt: 0 },
    ...{ subject: "test", reasonOf: String, log: silent },
  });
  onTestFinished(() => subscription.close());
  await vi.waitFor(() => expect(subscription.markOf(3)).toBe("c"));
  expect([1, 2].map((revision) => subscription.markOf(revision))).toEqual(["a", "b"]);
  applied = 2;
  await vi.waitFor(() => expect(subscription.revision).toBe(2), 3000);
  expect([1, 2, 3].map((revision) => subscription.markOf(revision))).toEqual([undefined, "b", "c"]);
});
