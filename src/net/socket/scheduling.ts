/** Short time slices for threads that answer queries: they work for a moment, and clients wait for them. */
import { getPriority } from "node:os";
import { hasLibc, libc } from "../../lib/system/libc.ts";

/**
 * Nanoseconds: the shortest slice that is accepted. From Linux 6.12 on, a waking thread preempts a running thread that
 * has a longer slice; otherwise it would wait for a clock tick, some milliseconds.
 */
const slice = 100_000n;

/** The first version of `struct sched_attr` of sched_setattr(2). */
const attr = { octets: 48, flags: 8, nice: 16, runtime: 24 } as const;
/** SCHED_FLAG_KEEP_POLICY. */
const keepPolicy = 8n;
const setattr = { x64: 314, arm64: 274 } as const;

/** Requests short slices for this thread. Does nothing where the system does not support them. */
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
