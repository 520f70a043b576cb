/** Slots that accounts share, and waiting for them. */
import { setImmediate as settle } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { type Slot, Slots } from "./slots.ts";

/** Takes slots until an account gets no more; returns their number. */
function fill(slots: Slots, account: string): number {
  for (let count = 0; ; count++) if (!slots.take(account)) return count;
}

/** A holder that the test can make slow, and that records the loss of its slot. */
function holder() {
  return {
    isSlow: false,
    hasLost: false,
    loseSlot() {
      this.hasLost = true;
    },
  };
}

test("slots have a limit for one account and for all, and a slot that is given back is free", () => {
  const slots = new Slots({ all: 3, own: 2 });
  const slot = slots.take("a")!;
  expect([fill(slots, "a"), fill(slots, "b"), fill(slots, "c")]).toEqual([1, 1, 0]);
  slot.leave();
  slot.leave();
  expect([fill(slots, "c"), fill(slots, "a")]).toEqual([1, 0]);
});

test("accounts below their fair share exceed the global limit up to the hard maximum, other accounts do not", () => {
  const slots = new Slots({ all: 20, own: 10, most: 60 });
  const counts = Array.from({ length: 60 }, (_, n) => fill(slots, `account${n}`));
  expect(counts.slice(0, 12)).toEqual([10, 10, 6, 5, 4, 3, 2, 2, 2, 2, 1, 1]);
  expect(counts.reduce((sum, count) => sum + count)).toBe(60);
  expect(counts.filter((count) => count > 0).length).toBe(24);
});

test("an account above its share gets another slot while fewer than the global limit are held", () => {
  const slots = new Slots({ all: 4, own: 3, most: 9 });
  const held = ["a", "a", "b", "b", "c"].map((account) => slots.take(account)!);
  expect([slots.take("a"), slots.accountsAtLimit()]).toEqual([undefined, ["a", "b", "c"]]);
  for (const slot of held.splice(3)) slot.leave();
  expect([slots.accountsAtLimit(), fill(slots, "a"), slots.accountsAtLimit()]).toEqual([[], 1, ["a"]]);
});

describe("slow holders", () => {
  test("an account below its share gets the slot of a slow holder, from whichever other account holds most", () => {
    const slots = new Slots({ all: 4, own: 3 });
    const [a1, a2, a3, b] = [holder(), holder(), holder(), holder()];
    for (const each of [a1, a2, a3]) slots.take("a", { holder: each });
    slots.take("b", { holder: b });
    expect(slots.take("c")).toBe(undefined);
    for (const each of [a2, b]) each.isSlow = true;
    expect(slots.take("a")).toBe(undefined);
    expect(slots.take("c")).toBeDefined();
    expect([a1, a2, a3, b].map(({ hasLost }) => hasLost)).toEqual([false, true, false, false]);
    // the share of c is now one slot
    expect([slots.take("c"), b.hasLost]).toEqual([undefined, false]);
  });

  test("a lost slot is not given back, and cannot grow", () => {
    const slots = new Slots({ all: 1, own: 1 });
    const lost = holder();
    const slot = slots.take("a", { holder: lost })!;
    lost.isSlow = true;
    expect(slots.take("b")).toBeDefined();
    slot.leave();
    expect([slots.take("c"), slot.resize(2)]).toEqual([undefined, false]);
  });
});

describe("weights", () => {
  test("slots grow and shrink within the limits of one account and of all", () => {
    const slots = new Slots({ all: 15, own: 10 });
    const [first, second, other] = ["a", "a", "b"].map((account) => slots.take(account, { weight: 0 })!);
    expect([first!.resize(6), second!.resize(5), other!.resize(9), second!.resize(1)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect([first!.resize(5), second!.resize(1), second!.resize(2)]).toEqual([true, true, false]);
    expect([first, second, other].map((slot) => slot!.weight)).toEqual([5, 1, 9]);
    first!.leave();
    expect(second!.resize(6)).toBe(true);
  });

  test("the largest slot of a slow holder is taken first", () => {
    const slots = new Slots({ all: 15, own: 10 });
    const [small, large] = [holder(), holder()];
    slots.take("a", { weight: 3, holder: small });
    slots.take("a", { weight: 6, holder: large });
    slots.take("b", { weight: 6 });
    const slot = slots.take("c", { weight: 0 })!;
    expect(slot.resize(1)).toBe(false);
    for (const each of [small, large]) each.isSlow = true;
    expect([slot.resize(6), small.hasLost, large.hasLost]).toEqual([true, false, true]);
  });
});

describe("waiting", () => {
  const limits = { all: 3, own: 2, waiting: { all: 3, own: 2 } };

  /** Waits for a slot, and adds to `order` when it gets one or is refused. */
  async function wait(slots: Slots, order: string[], account: string, got: Slot[]): Promise<void> {
    const slot = await slots.wait(account);
    order.push(slot ? account : `${account} refused`);
    if (slot) got.push(slot);
  }

  test("a slot that is given back goes to the next account that may have it", async () => {
    const [slots, order, got] = [new Slots(limits), [] as string[], [] as Slot[]];
    for (const account of ["a", "a", "a", "b", "b"]) void wait(slots, order, account, got);
    await settle();
    expect(order).toEqual(["a", "a", "b"]);
    got[2]!.leave();
    await settle();
    expect(order).toEqual(["a", "a", "b", "b"]);
    got[0]!.leave();
    await settle();
    expect(order).toEqual(["a", "a", "b", "b", "a"]);
  });

  test("beyond the waiting limits, the account with the most waiting requests loses the last", async () => {
    const [slots, order] = [new Slots(limits), [] as string[]];
    for (const account of ["a", "a", "b", "a", "a", "a", "b", "c"]) void wait(slots, order, account, []);
    await settle();
    expect(order).toEqual(["a", "a", "b", "a refused", "a refused"]);
  });

  test("accounts take turns one at a time, even after work that fails", async () => {
    const slots = new Slots({ all: 1, own: 1, waiting: { all: 9 } });
    const order: string[] = [];
    const add = async (account: string, name: string) => {
      const slot = await slots.wait(account);
      try {
        await settle();
        order.push(name);
        if (name === "a2") throw new Error("broken");
      } finally {
        slot!.leave();
      }
    };
    const names = ["a1", "a2", "a3", "a4", "b1", "c1", "b2"];
    const ended = await Promise.allSettled(names.map((name) => add(name[0]!, name)));
    expect(ended.map(({ status }) => status === "fulfilled")).toEqual([true, false, true, true, true, true, true]);
    expect(order).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
  });
});
