/** Blocks are reclaimed once every reader has reached their revision; retired blocks a second time, after later readers. */
import { expect, test } from "vitest";
import { headerPins, headerVisible, headerWords, wordsPerPin } from "./layout.ts";
import { Revisions } from "./revisions.ts";

function setUp() {
  const header = new Int32Array(headerWords);
  const revisions = new Revisions(header);
  const reclaimed: number[] = [];
  return {
    revisions,
    reclaimed,
    pin: (slot: number, revision = header[headerVisible]!) => {
      header[headerPins + slot * wordsPerPin] = revision;
    },
    leave: (slot: number) => {
      header[headerPins + slot * wordsPerPin] = 0;
    },
    /** Reclaims all blocks that it may; blocks below 100 are retired, and reclaimed again. */
    reclaim: () =>
      revisions.reclaim((address, retire) => {
        reclaimed.push(address);
        if (address < 100 && reclaimed.filter((each) => each === address).length === 1) retire(address);
      }),
  };
}

test("blocks wait for readers of earlier revisions in any slot", () => {
  const { revisions, reclaimed, reclaim, pin, leave } = setUp();
  pin(0);
  pin(63);
  revisions.stage(100);
  revisions.publish();
  reclaim();
  leave(0);
  reclaim();
  expect(reclaimed).toEqual([]);
  pin(63);
  reclaim();
  expect(reclaimed).toEqual([100]);
});

test("a reader holds up only the blocks of later revisions", () => {
  const { revisions, reclaimed, reclaim, pin, leave } = setUp();
  revisions.stage(100);
  revisions.publish();
  pin(0);
  revisions.stage(101);
  revisions.publish();
  revisions.stage(102);
  revisions.publish();
  reclaim();
  expect(reclaimed).toEqual([100]);
  leave(0);
  reclaim();
  expect(reclaimed).toEqual([100, 101, 102]);
});

test("a retired block also waits for readers of the visible revision", () => {
  const { revisions, reclaimed, reclaim, pin, leave } = setUp();
  revisions.stage(5);
  revisions.publish();
  pin(0);
  reclaim();
  reclaim();
  expect(reclaimed).toEqual([5]);
  revisions.stage(100);
  revisions.publish();
  reclaim();
  expect(reclaimed).toEqual([5]);
  leave(0);
  reclaim();
  expect(reclaimed).toEqual([5, 5, 100]);
});

test("an empty commit makes no revision", () => {
  const { revisions } = setUp();
  const { next } = revisions;
  revisions.publish();
  expect(revisions.next).toBe(next);
});

test("revisions wrap around, and are never 0", () => {
  for (const last of [2 ** 31 - 2, -2]) {
    const { revisions, reclaimed, reclaim, pin, leave } = setUp();
    revisions.next = last;
    for (let address = 100; address < 105; address++) {
      revisions.stage(address);
      revisions.publish();
      expect(revisions.next).not.toBe(0);
      if (address === 101) pin(7);
    }
    reclaim();
    expect(reclaimed).toEqual([100, 101]);
    leave(7);
    reclaim();
    expect(reclaimed).toEqual([100, 101, 102, 103, 104]);
  }
});
