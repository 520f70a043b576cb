/** Shared memory in huge pages where the system has them, since random reads cost a page walk for each page. */
import { hasLibc, libc, linux } from "../../lib/system/libc.ts";

const hugePage = 2 * 1024 * 1024;

/** Like `new SharedArrayBuffer`, with advice to use huge pages before the first access; the system may ignore it. */
export function sharedMemory(octets: number): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(octets);
  if (octets >= hugePage && hasLibc()) advise(memory, linux.MADV_HUGEPAGE);
  return memory;
}

/** Returns the pages of memory to the system; the memory stays mapped, and later reads may see zeros. */
export function dropMemory(memory: SharedArrayBuffer): void {
  if (hasLibc()) advise(memory, linux.MADV_DONTNEED);
}

/** Gives advice for the pages that are entirely within the memory. */
function advise(memory: SharedArrayBuffer, advice: number): void {
  const page = libc().getpagesize();
  const address = libc().addressOf(memory);
  const from = Math.ceil(address / page) * page;
  const to = Math.floor((address + memory.byteLength) / page) * page;
  if (to > from) libc().madvise(from, to - from, advice);
}
