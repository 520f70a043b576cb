import { expect, test } from "vitest";
import { TimeShare } from "./time-share.ts";

test("work is within its share of the time, with what was saved up and owed", () => {
  const share = new TimeShare(1 / 8, 10);
  share.refill(1_000_000);
  expect(share.isUsedUp).toBe(false);
  share.spend(9);
  expect(share.isUsedUp).toBe(false);
  share.spend(100);
  // ten milliseconds are owed, however much was spent
  share.refill(1_000_080);
  expect(share.isUsedUp).toBe(true);
  share.refill(1_000_088);
  expect(share.isUsedUp).toBe(false);
});

test("a clock that is set back neither adds nor takes credit", () => {
  const share = new TimeShare(1 / 8, 10);
  share.refill(1_000_000);
  share.spend(9);
  share.refill(500_000);
  expect(share.isUsedUp).toBe(false);
  share.spend(1);
  expect(share.isUsedUp).toBe(true);
  share.refill(500_001);
  expect(share.isUsedUp).toBe(false);
});
