/** Memory from `sharedMemory` is like any other shared memory, whatever pages it lies in. */
import { expect, test } from "vitest";
import { libc, linux } from "./libc.ts";
import { dropMemory, sharedMemory } from "./pages.ts";

const hugePage = 2 * 1024 * 1024;

test.each([8, hugePage, 4 * hugePage + 40])("%i octets are 0 at first and hold what is written", (octets) => {
  const bytes = new Uint8Array(sharedMemory(octets));
  expect(bytes).toHaveLength(octets);
  expect(bytes.every((octet) => octet === 0)).toBe(true);
  bytes.fill(7);
  expect(bytes.every((octet) => octet === 7)).toBe(true);
});

test("memory that was given back is empty, and can be written to again", () => {
  const bytes = new Uint8Array(sharedMemory(2 * hugePage));
  bytes.fill(7);
  dropMemory(bytes.buffer);
  // the first and the last page may be shared with others
  expect(bytes[hugePage]).toBe(0);
  bytes.fill(8);
  expect(bytes[hugePage]).toBe(8);
});

test("the system accepts the advice", () => {
  const page = libc().getpagesize();
  const memory = new SharedArrayBuffer(4 * page);
  const from = Math.ceil(libc().addressOf(memory) / page) * page;
  expect(libc().madvise(from, page, linux.MADV_HUGEPAGE)).toBe(0);
});
