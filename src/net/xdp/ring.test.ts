/** Rings, with the other side played by the test. */
import { expect, test } from "vitest";
import { ConsumerRing, entryWords, ProducerRing } from "./ring.ts";

const offsets = { producer: 0, consumer: 64, flags: 72, entries: 128 };
const size = 8;
const at = { producer: 0, consumer: 16, flags: 18, entries: 32 };

/** The memory of a ring whose indexes are just before their overflow. */
function words(begin = 0xffff_fffd): Uint32Array {
  const memory = new Uint32Array(at.entries + size * entryWords.frame);
  memory[at.producer] = begin;
  memory[at.consumer] = begin;
  return memory;
}

test("entries are read in order, also when the index overflows", () => {
  const memory = words();
  const ring = new ConsumerRing(memory, offsets, size, entryWords.frame);
  expect(ring.count).toBe(0);
  let written = memory[at.producer]!;
  for (let round = 0; round < 10; round++) {
    for (let n = 0; n < 5; n++) {
      const entry = at.entries + (written % size) * entryWords.frame;
      memory[entry] = round * 100 + n;
      memory[entry + 2] = n;
      written = (written + 1) >>> 0;
    }
    memory[at.producer] = written;
    expect(ring.count).toBe(5);
    expect(Array.from({ length: 5 }, (_, n) => ring.addressAt(n))).toEqual([0, 1, 2, 3, 4].map((n) => round * 100 + n));
    expect(ring.lengthAt(3)).toBe(3);
    ring.release(2);
    expect([ring.count, ring.addressAt(0)]).toEqual([3, round * 100 + 2]);
    ring.release(3);
    expect(memory[at.consumer]).toBe(written);
  }
});

test("written entries are seen once they are published, and there is room for as many as the ring has", () => {
  const memory = words();
  const ring = new ProducerRing(memory, offsets, size, entryWords.frame);
  for (let n = 0; n < size; n++) {
    expect(ring.room).toBe(size - n);
    ring.writeFrame(n * 2048, 100 + n);
  }
  expect([ring.room, ring.waiting, memory[at.producer]]).toEqual([0, 0, 0xffff_fffd]);
  ring.publish();
  expect([ring.room, ring.waiting, memory[at.producer]]).toEqual([0, size, 5]);
  const entry = at.entries + (0xffff_fffd % size) * entryWords.frame;
  expect([...memory.subarray(entry, entry + 4)]).toEqual([0, 0, 100, 0]);
  memory[at.consumer] = 3;
  expect([ring.room, ring.waiting]).toEqual([6, 2]);
  ring.publish();
  expect(memory[at.producer]).toBe(5);
});

test("addresses alone take two words, and a ring goes on where its memory is", () => {
  const memory = words(6);
  const ring = new ProducerRing(memory, offsets, size, entryWords.address);
  for (const address of [4096, 8192, 12_288]) ring.writeAddress(address);
  ring.publish();
  const read = new ConsumerRing(memory, offsets, size, entryWords.address);
  expect([0, 1, 2].map((n) => read.addressAt(n))).toEqual([4096, 8192, 12_288]);
  expect([...memory.subarray(at.entries, at.entries + 2)]).toEqual([12_288, 0]);
});

test("the flag of the kernel says whether it waits for a call", () => {
  const memory = words();
  const ring = new ProducerRing(memory, offsets, size, entryWords.frame);
  expect(ring.needsWakeUp).toBe(false);
  memory[at.flags] = 1;
  expect(ring.needsWakeUp).toBe(true);
});
