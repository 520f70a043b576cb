/** Memory of `sharedMemory` behaves like any other shared memory, with any page size. */
import { expect, test } from "vitest";
import { libc, linux } from "../../lib/system/libc.ts";
import { dropMemory, sharedMemory } from "./pages.ts";

const hugePage = 2 * 1024 * 1024;

test.each([8, hugePage, 4 * hugePage + 40])("%i octets are initially 0 and can be written", (octets) => {
  const bytes = new Uint8Array(sharedMemory(octets));
  expect(bytes).toHaveLength(octets);
  expect(bytes.every((octet) => octet === 0)).toBe(true);
  bytes.fill(7);
  expect(bytes.every((octet) => octet === 7)).toBe(true);
});

test("dropped memory is empty, and can be written again", () => {
  const bytes = new Uint8Array(sharedMemory(2 * hugePage));
  bytes.fill(7);
  dropMemory(bytes.buffer);
  // the first and the last page can be shared with other memory
  expect(bytes[hugePage]).toBe(0);
  bytes.fill(8);
  expect(bytes[hugePage]).toBe(8);
});

test("the system accepts the advice to use huge pages", () => {
  const page = libc().getpagesize();
  const memory = new SharedArrayBuffer(4 * page);
  const from = Math.ceil(libc().addressOf(memory) / page) * page;
  expect(libc().madvise(from, page, linux.MADV_HUGEPAGE)).toBe(0);
});
