/** Shared memory in huge pages where the system has them to give: what is read at random costs a walk for each page. */
import { hasLibc, libc, linux } from "./libc.ts";

const hugePage = 2 * 1024 * 1024;

/** As `new SharedArrayBuffer`. The advice comes before the first access, and what the system makes of it is its own. */
export function sharedMemory(octets: number): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(octets);
  if (octets >= hugePage && hasLibc()) advise(memory);
  return memory;
}

/** For the pages that lie in the memory as a whole. */
function advise(memory: SharedArrayBuffer): void {
  const page = libc().getpagesize();
  const address = libc().addressOf(memory);
  const from = Math.ceil(address / page) * page;
  const to = Math.floor((address + memory.byteLength) / page) * page;
  libc().madvise(from, to - from, linux.MADV_HUGEPAGE);
}
