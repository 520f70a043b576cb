import { expect, test } from "vitest";
import { FairQueue } from "./queue.ts";

/** A line of texts such as `a x 1`: account, address and a number. */
function lineOf(...items: readonly string[]) {
  const line = new FairQueue<string>();
  for (const item of items) {
    const [account = "", address = ""] = item.split(" ");
    line.add(account, address, item);
  }
  return line;
}

const all = (line: FairQueue<string>, next = () => line.take()) => {
  const taken: string[] = [];
  for (let item = next(); item !== undefined; item = next()) taken.push(item);
  return taken;
};

test("accounts take turns, and the addresses of one account among themselves", () => {
  const line = lineOf("a x 1", "a x 2", "a x 3", "a y 1", "b x 1", "b x 2");
  expect([line.size, line.count("a"), line.count("c")]).toEqual([6, 4, 0]);
  expect(all(line)).toEqual(["a x 1", "b x 1", "a y 1", "b x 2", "a x 2", "a x 3"]);
  expect(line.size).toBe(0);
});

test("an account that comes later goes before those that have had a turn", () => {
  const line = lineOf("a x 1", "a x 2");
  line.note("b");
  expect(line.take()).toBe("a x 1");
  line.add("b", "x", "b x 1");
  line.add("c", "x", "c x 1");
  expect(all(line)).toEqual(["c x 1", "b x 1", "a x 2"]);
});

test("an account or address that may not go yet keeps its place", () => {
  const line = lineOf("a x 1", "a y 1", "b x 1");
  expect(line.take((account) => account === "c")).toBe(undefined);
  expect(line.take(undefined, (_, address) => address === "y")).toBe("a y 1");
  expect(all(line)).toEqual(["b x 1", "a x 1"]);
});

test("the last item of the address with most items goes, of the account with most; otherwise the last account's", () => {
  const line = lineOf("a x 1", "a x 2", "b x 1", "b y 1", "b y 2", "c x 1");
  expect(all(line, () => line.drop())).toEqual(["b y 2", "b y 1", "a x 2", "c x 1", "b x 1", "a x 1"]);
});

test("addresses are asked about only of an account that may have a turn", () => {
  const line = new FairQueue<number>();
  for (let i = 0; i < 1000; i++) line.add("a", `${i}`, i);
  line.add("b", "x", -1);
  let asked = 0;
  const any = () => ++asked > 0;
  expect(line.take((account) => account === "b", any)).toBe(-1);
  expect(asked).toBe(1);
});
