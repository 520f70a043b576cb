import { expect, test } from "vitest";
import { FairQueue } from "./queue.ts";

/** A queue of texts such as `a x 1`: account, address and a number. */
function queueOf(...items: readonly string[]) {
  const queue = new FairQueue<string>();
  for (const item of items) {
    const [account = "", address = ""] = item.split(" ");
    queue.add(account, address, item);
  }
  return queue;
}

const all = (queue: FairQueue<string>, next = () => queue.take()) => {
  const taken: string[] = [];
  for (let item = next(); item !== undefined; item = next()) taken.push(item);
  return taken;
};

test("accounts take turns, and so do the addresses of one account", () => {
  const queue = queueOf("a x 1", "a x 2", "a x 3", "a y 1", "b x 1", "b x 2");
  expect([queue.size, queue.count("a"), queue.count("c")]).toEqual([6, 4, 0]);
  expect(all(queue)).toEqual(["a x 1", "b x 1", "a y 1", "b x 2", "a x 2", "a x 3"]);
  expect(queue.size).toBe(0);
});

test("an account that begins to wait is behind all others that wait, however many come after them", () => {
  const queue = queueOf("a x 1", "a x 2", "b x 1");
  expect(queue.take()).toBe("a x 1");
  queue.add("c", "x", "c x 1");
  expect(all(queue)).toEqual(["b x 1", "a x 2", "c x 1"]);

  const crowded = queueOf("first x 1", "first x 2");
  const taken: (string | undefined)[] = [];
  for (let n = 0; n < 1000; n++) {
    crowded.add(`stranger${n}`, "x", "stranger");
    taken.push(crowded.take());
  }
  expect(["first x 1", "first x 2"].map((item) => taken.indexOf(item))).toEqual([0, 2]);
});

test("an account or address that is not permitted yet keeps its position", () => {
  const queue = queueOf("a x 1", "a y 1", "b x 1");
  expect(queue.take((account) => account === "c")).toBe(undefined);
  expect(queue.take(undefined, (_, address) => address === "y")).toBe("a y 1");
  expect(all(queue)).toEqual(["b x 1", "a x 1"]);
});

test("drop takes from the account and address with the most items; among equals, from the last", () => {
  const queue = queueOf("a x 1", "a x 2", "b x 1", "b y 1", "b y 2", "c x 1");
  expect(all(queue, () => queue.drop())).toEqual(["b y 2", "b y 1", "a x 2", "c x 1", "b x 1", "a x 1"]);
});

test("addresses are checked only for permitted accounts", () => {
  const queue = new FairQueue<number>();
  for (let i = 0; i < 1000; i++) queue.add("a", `${i}`, i);
  queue.add("b", "x", -1);
  let asked = 0;
  const any = () => ++asked > 0;
  expect(queue.take((account) => account === "b", any)).toBe(-1);
  expect(asked).toBe(1);
});
