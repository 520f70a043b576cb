/** The shares of zones in a worker's time. */
import { expect, test } from "vitest";
import { ZoneShares } from "./zone-shares.ts";

/** Charges each zone in every period of 100 ms, for some periods. */
function spend(shares: ZoneShares, periods: number, costs: Readonly<Record<number, number>>, from = 0): number {
  let now = from;
  for (let period = 0; period < periods; period++, now += 100) {
    shares.begin(now);
    for (const [zone, cost] of Object.entries(costs)) shares.charge(Number(zone), cost);
  }
  shares.begin(now);
  return now;
}

test("a zone is heavy while it takes more than an eighth of the time, and other zones are not", () => {
  const shares = new ZoneShares();
  const now = spend(shares, 3, { 1: 12_000, 2: 13_000 });
  expect([shares.isCrowded, shares.isHeavy(1), shares.isHeavy(2)]).toEqual([true, false, true]);
  spend(shares, 1, { 1: 12_000, 2: 1000 }, now);
  expect([shares.isCrowded, shares.isHeavy(2)]).toEqual([false, false]);
});

test("a zone whose queries are put off stays heavy as long as they come", () => {
  const shares = new ZoneShares();
  let now = spend(shares, 1, { 1: 50_000 });
  expect(shares.isHeavy(1)).toBe(true);
  for (let period = 0; period < 5; period++) {
    shares.putOff(1);
    now += 100;
    shares.begin(now);
    expect(shares.isHeavy(1)).toBe(true);
  }
  now += 100;
  shares.begin(now);
  expect(shares.isCrowded).toBe(false);
});

test("a zone with many cheap queries is not heavy", () => {
  const shares = new ZoneShares();
  shares.begin(0);
  for (let query = 0; query < 10_000; query++) shares.charge(1, 8);
  shares.begin(100);
  expect(shares.isCrowded).toBe(false);
});

test("a clock that is set back ends the period", () => {
  const shares = new ZoneShares();
  shares.begin(1_000_000);
  shares.charge(1, 90_000);
  shares.begin(1000);
  expect(shares.isHeavy(1)).toBe(true);
});
