/** Whose turn it is among accounts that have imports waiting. */
import { expect, test } from "vitest";
import { Queue } from "./line.ts";

test("accounts take turns, and what one of them has goes on in its order, also after what fails", async () => {
  const queue = new Queue();
  const order: string[] = [];
  let atOnce = 0;
  const add = (account: string, name: string) =>
    queue.run(account, async () => {
      expect(++atOnce).toBe(1);
      await new Promise(setImmediate);
      order.push(name);
      atOnce--;
      if (name === "a2") throw new Error("broken");
      return name;
    });
  const first = ["a1", "a2", "a3", "a4"].map((name) => add("a", name));
  const others = [add("b", "b1"), add("c", "c1"), add("b", "b2")];
  const [, failed, ...rest] = first;
  await expect(failed).rejects.toThrow("broken");
  expect(await Promise.all([first[0], ...rest, ...others])).toEqual(["a1", "a3", "a4", "b1", "c1", "b2"]);
  expect(order).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
});

test("one that comes later does not wait for all that another account has", async () => {
  const queue = new Queue();
  const order: string[] = [];
  const add = (account: string, name: string) => queue.run(account, async () => void order.push(name));
  let late: Promise<void> | undefined;
  const begun = queue.run("a", async () => {
    late = add("b", "b1");
  });
  const waiting = Array.from({ length: 9 }, (_, n) => add("a", `a${n}`));
  await Promise.all([begun, ...waiting]);
  await late;
  expect(order.indexOf("b1")).toBe(0);
});
