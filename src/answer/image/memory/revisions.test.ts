/** When blocks are settled: not before every reader has reached their revision, and those taken out of use once more later. */
import { expect, test } from "vitest";
import { headerPins, headerVisible, headerWords, wordsPerPin } from "./layout.ts";
import { Revisions } from "./revisions.ts";

function setting() {
  const header = new Int32Array(headerWords);
  const revisions = new Revisions(header);
  const settled: number[] = [];
  return {
    revisions,
    settled,
    pin: (slot: number, revision = header[headerVisible]!) => {
      header[headerPins + slot * wordsPerPin] = revision;
    },
    leave: (slot: number) => {
      header[headerPins + slot * wordsPerPin] = 0;
    },
    /** Settles what may be; blocks below 100 are taken out of use and come again. */
    settle: () =>
      revisions.settle((address, retire) => {
        settled.push(address);
        if (address < 100 && settled.filter((each) => each === address).length === 1) retire(address);
      }),
  };
}

test("blocks wait for readers of earlier revisions, whichever slot they have", () => {
  const { revisions, settled, settle, pin, leave } = setting();
  pin(0);
  pin(63);
  revisions.stage(100);
  revisions.publish();
  settle();
  leave(0);
  settle();
  expect(settled).toEqual([]);
  pin(63);
  settle();
  expect(settled).toEqual([100]);
});

test("blocks of later revisions wait for those of earlier ones", () => {
  const { revisions, settled, settle, pin, leave } = setting();
  revisions.stage(100);
  revisions.publish();
  pin(0);
  revisions.stage(101);
  revisions.publish();
  revisions.stage(102);
  revisions.publish();
  settle();
  expect(settled).toEqual([100]);
  leave(0);
  settle();
  expect(settled).toEqual([100, 101, 102]);
});

test("a block taken out of use waits for readers of the visible revision too", () => {
  const { revisions, settled, settle, pin, leave } = setting();
  revisions.stage(5);
  revisions.publish();
  pin(0);
  settle();
  settle();
  expect(settled).toEqual([5]);
  revisions.stage(100);
  revisions.publish();
  settle();
  expect(settled).toEqual([5]);
  leave(0);
  settle();
  expect(settled).toEqual([5, 5, 100]);
});

test("a commit of nothing is no revision", () => {
  const { revisions } = setting();
  const { next } = revisions;
  revisions.publish();
  expect(revisions.next).toBe(next);
});

test("revisions wrap around, and never are 0", () => {
  for (const last of [2 ** 31 - 2, -2]) {
    const { revisions, settled, settle, pin, leave } = setting();
    revisions.next = last;
    for (let address = 100; address < 105; address++) {
      revisions.stage(address);
      revisions.publish();
      expect(revisions.next).not.toBe(0);
      if (address === 101) pin(7);
    }
    settle();
    expect(settled).toEqual([100, 101]);
    leave(7);
    settle();
    expect(settled).toEqual([100, 101, 102, 103, 104]);
  }
});
