/** Shared memory in huge pages where the system has them to give: what is read at random costs a walk for each page. */
import { hasLibc, libc, linux } from "./libc.ts";

const hugePage = 2 * 1024 * 1024;

/** As `new SharedArrayBuffer`. The advice comes before the first access, and what the system makes of it is its own. */
export function sharedMemory(octets: number): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(octets);
  if (octets >= hugePage && hasLibc()) advise(memory, linux.MADV_HUGEPAGE);
  return memory;
}

/** Gives back what the memory holds, although it stays where it is: whoever reads it from now on may read zeros. */
export function dropMemory(memory: SharedArrayBuffer): void {
  if (hasLibc()) advise(memory, linux.MADV_DONTNEED);
}

/** For the pages that lie in the memory as a whole. */
function advise(memory: SharedArrayBuffer, advice: number): void {
  const page = libc().getpagesize();
  const address = libc().addressOf(memory);
  const from = Math.ceil(address / page) * page;
  const to = Math.floor((address + memory.byteLength) / page) * page;
  if (to > from) libc().madvise(from, to - from, advice);
}
