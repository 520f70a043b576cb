/** What the scheduler of the system is told of threads that answer: each works for a moment, and somebody waits for it. */
import { getPriority } from "node:os";
import { hasLibc, libc } from "./libc.ts";

/**
 * Nanoseconds, the shortest that are accepted. Linux from 6.12 on lets a thread that wakes up run before one that is
 * working with a longer slice, which it would else wait for until a tick of the clock, some milliseconds.
 */
const slice = 100_000n;

/** `struct sched_attr` of sched_setattr(2), in its first version. */
const attr = { octets: 48, flags: 8, nice: 16, runtime: 24 } as const;
/** SCHED_FLAG_KEEP_POLICY. */
const keepPolicy = 8n;
const setattr = { x64: 314, arm64: 274 } as const;

/** Asks for short slices for this thread. Where there are none to be had nothing happens. */
export function takeShortSlices(): void {
  const number = setattr[process.arch as keyof typeof setattr];
  if (!hasLibc() || number === undefined) return;
  const view = new DataView(new ArrayBuffer(attr.octets));
  view.setUint32(0, attr.octets, true);
  view.setBigUint64(attr.flags, keepPolicy, true);
  view.setInt32(attr.nice, getPriority(0), true);
  view.setBigUint64(attr.runtime, slice, true);
  libc().syscall(number, 0, new Uint8Array(view.buffer), 0);
}
