import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Incoming } from "../../sync/peers.ts";
import { makeNoticeTable, noteRequested, noteWaiting } from "./notice-table.ts";
import { Notices } from "./notices.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const zone = (zone_id: string, account_id = "a"): Incoming => ({
  account_id,
  zone_id,
  zone: zone_id,
  addresses: [],
  mustSign: false,
});

function start() {
  const requested: string[] = [];
  const table = makeNoticeTable(7);
  const notices = new Notices(({ zone_id }) => requested.push(zone_id), table);
  /** Does with a notice as a worker does; returns whether the worker sends a message. */
  const receive = (one: Incoming) => {
    const isNew = noteWaiting(table, one.zone_id, Date.now());
    if (isNew) notices.take(one);
    return isNew;
  };
  return { requested, notices, receive };
}

test("a zone is requested at most five times a second, and after its last notice", () => {
  const { requested, notices, receive } = start();
  for (let i = 0; i < 1000; i++) receive(zone("one"));
  expect(requested).toHaveLength(1);
  vi.advanceTimersByTime(200);
  expect(requested).toHaveLength(2);
  vi.advanceTimersByTime(1000);
  expect(requested).toHaveLength(2);
  notices.close();
});

test("an account with 5,000 zones leaves slots for others, and each of its zones is requested in the end", async () => {
  const { requested, notices, receive } = start();
  for (let i = 0; i < 5000; i++) receive(zone(`z${i}`));
  expect(requested).toHaveLength(500);
  receive(zone("victim", "b"));
  expect(requested.at(-1)).toBe("victim");
  for (let i = 0; i < 20; i++) await vi.advanceTimersByTimeAsync(200);
  expect(new Set(requested).size).toBe(5001);
  expect(requested).toHaveLength(5001);
  notices.close();
});

test("four accounts that hold all slots do not delay a fifth", () => {
  const { requested, notices, receive } = start();
  for (let i = 0; i < 8000; i++) receive(zone(`z${i}`, `account ${i % 4}`));
  expect(requested).toHaveLength(2000);
  receive(zone("victim", "b"));
  expect(requested.at(-1)).toBe("victim");
  notices.close();
});

test("while a zone waits, its notices are no messages: 16,000 for 100 zones are 200 in a pause", () => {
  const { notices, receive } = start();
  const sent = Array.from({ length: 16_000 }, (_, i) => receive(zone(`z${i % 100}`))).filter(Boolean);
  expect(sent).toHaveLength(200);
  notices.close();
});

test("a notice after the request needs another one, and a lost message is not waited for", () => {
  const table = makeNoticeTable(7);
  expect([noteWaiting(table, "one", 0), noteWaiting(table, "one", 1999), noteWaiting(table, "two", 0)]).toEqual([
    true,
    false,
    true,
  ]);
  noteRequested(table, "one");
  expect([noteWaiting(table, "one", 2000), noteWaiting(table, "two", 2000)]).toEqual([true, true]);
});
