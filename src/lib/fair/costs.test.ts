/** Accounts over their share of time. */
import { expect, test } from "vitest";
import { Costs } from "./costs.ts";

let now = 0;
const costs = (limits = { share: 0.5, burst: 1000 }) => new Costs(limits, () => now);

test("an account is over its share once it has used the burst, until enough time has passed", () => {
  const all = costs();
  all.add("other", 1);
  all.add("busy", 900);
  expect(all.isOver("busy")).toBe(false);
  all.add("busy", 300);
  expect([all.isOver("busy"), all.isOver("other")]).toEqual([true, false]);
  now += 300;
  expect(all.isOver("busy")).toBe(true);
  now += 200;
  expect(all.isOver("busy")).toBe(false);
});

test("costs within the share are never over it", () => {
  const all = costs();
  all.add("other", 1);
  for (let turn = 0; turn < 1000; turn++) {
    all.add("steady", 40);
    now += 100;
    all.add("other", 1);
    expect(all.isOver("steady")).toBe(false);
  }
});

test("an account alone is never over its share", () => {
  const all = costs();
  all.add("alone", 10_000);
  expect(all.isOver("alone")).toBe(false);
  all.add("other", 1);
  expect(all.isOver("alone")).toBe(true);
  now += 1500;
  all.add("alone", 10_000);
  now += 10_000;
  all.add("alone", 10_000);
  expect(all.isOver("alone")).toBe(false);
});

test("the memory for accounts is bounded", () => {
  const all = costs();
  all.add("busy", 10_000);
  for (let account = 0; account < 10_000; account++) all.add(String(account), 1);
  expect(all.isOver("busy")).toBe(false);
});
