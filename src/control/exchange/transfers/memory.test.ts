/** The memory that transfers share, and transfers that are written to the store as they arrive. */
import { expect, test } from "vitest";
import { MeasuredInput } from "../../../lib/fair/measured-input.ts";
import { TransferMemory } from "./memory.ts";

const full = "the transfer memory limit was reached";

function memory() {
  const memory = new TransferMemory({
    records: { all: 15, own: 10 },
    octets: { all: 1500, own: 1000 },
    large: { all: 2, own: 1, most: 3 },
  });
  const clock = { now: 0 };
  const enter = (account: string) => {
    const input = new MeasuredInput(
      { octets: 100, over: 1000 },
      () => new Error("too slow"),
      () => clock.now,
    );
    return memory.enter(account, input);
  };
  return { clock, enter };
}

test("an account's transfers share the account's memory, and all transfers share the total", () => {
  const { enter } = memory();
  const [first, second, third] = [enter("one"), enter("one"), enter("two")];
  first.take({ records: 6, octets: 0 });
  expect(() => second.take({ records: 5, octets: 0 })).toThrow(full);
  third.take({ records: 9, octets: 1000 });
  expect(() => second.take({ records: 0, octets: 501 })).toThrow(full);
  expect([first.records, second.records, third.records, third.octets]).toEqual([6, 0, 9, 1000]);
});

test("a transfer that is cleared or ends frees its memory", () => {
  const { enter } = memory();
  const first = enter("one");
  first.take({ records: 10, octets: 1000 });
  const next = enter("one");
  expect(() => next.take({ records: 1, octets: 0 })).toThrow(full);
  first.clear();
  next.take({ records: 10, octets: 1 });
  expect(() => first.take({ records: 1, octets: 0 })).toThrow(full);
  next.leave();
  first.take({ records: 1, octets: 0 });
});

test("a slow sender of another account gives up its memory, and its transfer ends", () => {
  const { clock, enter } = memory();
  const [slow, quick, third] = [enter("one"), enter("two"), enter("three")];
  slow.take({ records: 9, octets: 0 });
  quick.take({ records: 6, octets: 0 });
  expect(() => third.take({ records: 1, octets: 0 })).toThrow(full);
  void slow.input.answer(new Promise<never>(() => {}));
  clock.now += 1000;
  third.take({ records: 9, octets: 0 });
  expect([slow, quick].map(({ input }) => input.signal.aborted)).toEqual([true, false]);
  expect(() => slow.take({ records: 1, octets: 0 })).toThrow("too slow");
});

test("large transfers are limited per account and in total, with further slots for accounts that have none", () => {
  const { enter } = memory();
  const first = enter("one");
  first.enlarge();
  expect(() => enter("one").enlarge()).toThrow(full);
  for (const account of ["two", "three"]) enter(account).enlarge();
  expect(() => enter("four").enlarge()).toThrow(full);
  first.leave();
  enter("four").enlarge();
});
