import { afterEach, expect, test, vi } from "vitest";
import { type RoomLimits, TransferRoom, type TransferShare } from "./room.ts";

const limits: RoomLimits = {
  own: { records: 10, octets: 1000, large: 1 },
  all: { records: 15, octets: 1500, large: 2 },
};
const least = { octets: 100, over: 1000 };
const room = (changed: Partial<RoomLimits> = {}) => new TransferRoom({ ...limits, ...changed }, least);
const full = "other transfers take up the room";

afterEach(() => void vi.useRealTimers());

/** They wait for servers that say nothing, until they are slow. */
function slow(...shares: readonly TransferShare[]): void {
  vi.useFakeTimers({ toFake: ["performance"] });
  for (const { speed } of shares) void speed.ofAnswer(new Promise(() => {}));
  vi.advanceTimersByTime(least.over);
}

test("an account's transfers share its room, and all transfers theirs", () => {
  const rooms = room();
  const [first, second, third] = [rooms.enter("one"), rooms.enter("one"), rooms.enter("two")];
  first.take({ records: 6, octets: 0 });
  expect(() => second.take({ records: 5, octets: 0 })).toThrow(full);
  second.clear();
  third.take({ records: 9, octets: 1000 });
  expect(() => second.take({ records: 0, octets: 501 })).toThrow(full);
});

test("what has left makes room", () => {
  const rooms = room();
  const first = rooms.enter("one");
  first.take({ records: 10, octets: 1000 });
  const next = rooms.enter("one");
  expect(() => next.take({ records: 1, octets: 0 })).toThrow(full);
  first.leave();
  expect(() => next.take({ records: 1, octets: 0 })).not.toThrow();
});

test("so many go on to the store: of an account, and of all", () => {
  const rooms = room();
  rooms.enter("one").enlarge();
  const next = rooms.enter("one");
  expect(() => next.enlarge()).toThrow(full);
  // it goes on with another server, and takes no place that others could have
  rooms.enter("two").enlarge();
  expect(() => rooms.enter("three").enlarge()).toThrow(full);
});

test("who is slow makes way for another account's: of the account that has most, one at a time", () => {
  const rooms = room();
  const [other, first, second, quick] = ["two", "one", "one", "one"].map((account) => rooms.enter(account));
  rooms.makeWay("three");
  slow(other!, first!, second!);
  const gone = () => [other!, first!, second!, quick!].map(({ signal }) => signal.aborted);
  expect(gone()).toEqual([false, false, false, false]);
  rooms.makeWay("three");
  rooms.makeWay("three");
  expect(gone()).toEqual([false, true, false, false]);
  expect(() => first!.take({ records: 1, octets: 0 })).toThrow("is too slow while other zones wait for its place");
  first!.leave();
  rooms.makeWay("one");
  expect(gone()).toEqual([true, true, false, false]);
  other!.leave();
  rooms.makeWay("one");
  expect(gone()).toEqual([true, true, false, false]);
});

test("what a slow one holds is room for others, and for its own account it is not", () => {
  const rooms = room();
  const [first, second] = [rooms.enter("one"), rooms.enter("two")];
  first.take({ records: 9, octets: 0 });
  second.take({ records: 6, octets: 0 });
  const [own, third] = [rooms.enter("one"), rooms.enter("three")];
  expect(() => third.take({ records: 1, octets: 0 })).toThrow(full);
  slow(first);
  third.clear();
  own.take({ records: 0, octets: 1 });
  expect(() => own.take({ records: 2, octets: 0 })).toThrow(full);
  own.clear();
  expect(() => third.take({ records: 9, octets: 0 })).not.toThrow();
  expect([first, second].map(({ signal }) => signal.aborted)).toEqual([true, false]);
});

test("of two that go on to the store the one begun last makes way where another account has none, slow or not", () => {
  const rooms = room({ own: { ...limits.own, large: 2 }, all: { ...limits.all, large: 3 } });
  const [first, second, other] = ["one", "one", "two"].map((account) => rooms.enter(account));
  for (const share of [first!, second!, other!]) share.enlarge();
  expect(() => rooms.enter("two").enlarge()).toThrow(full);
  const third = rooms.enter("three");
  third.enlarge();
  expect([first!, second!, other!].map(({ signal }) => signal.aborted)).toEqual([false, true, false]);
  expect(() => rooms.enter("four").enlarge()).toThrow(full);
  slow(third);
  expect(() => rooms.enter("four").enlarge()).not.toThrow();
  expect(third.signal.aborted).toBe(true);
});
