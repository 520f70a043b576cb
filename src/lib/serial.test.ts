import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isLaterSerial, latestSerial, nextSerial } from "./serial.ts";

const serial = fc.integer({ min: 0, max: 2 ** 32 - 1 });

describe("serials", () => {
  test("the next serial is later, whatever the time", () => {
    fc.assert(fc.property(serial, serial, (before, now) => isLaterSerial(nextSerial(before, now), before)));
  });

  test("the next serial is the time, if the time is later", () => {
    expect(nextSerial(1_700_000_000, 1_800_000_000)).toBe(1_800_000_000);
    expect(nextSerial(1_800_000_000, 1_700_000_000)).toBe(1_800_000_001);
  });

  test("serials wrap around", () => {
    expect(nextSerial(2 ** 32 - 1, 2 ** 32 - 1)).toBe(0);
    expect(isLaterSerial(0, 2 ** 32 - 1)).toBe(true);
    expect(isLaterSerial(2 ** 31, 0)).toBe(false);
    expect(isLaterSerial(0, 2 ** 31)).toBe(false);
  });

  test("the latest of several serials is found, even when they wrap around", () => {
    expect(latestSerial(7)).toBe(7);
    expect(latestSerial(7, 9, 8)).toBe(9);
    expect(latestSerial(2 ** 32 - 5, 3, 2 ** 32 - 1)).toBe(3);
  });
});
