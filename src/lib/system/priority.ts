/** Priorities: what is heavy gives way to the threads that answer queries, which have the priority of any program. */
import { readdirSync, readFileSync, stat, writeFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { hasLibc, libc } from "./libc.ts";

interface Lowered {
  readonly niceness: number;
  /**
   * Nanoseconds. From Linux 6.12 on, a thread that wakes up displaces one with a longer slice than its own at once.
   * Otherwise it may have to wait for a tick of the clock, some milliseconds.
   */
  readonly slice: bigint;
}

/** Work by how heavy it is: one call or change, or much data. */
const lowered = {
  calls: { niceness: 5, slice: 5_000_000n },
  bulk: { niceness: 10, slice: 20_000_000n },
} as const satisfies Record<string, Lowered>;

/** The niceness of a start. */
const starting = -5;

/** Lowers the priority of this thread for bulk work. Only on Linux; elsewhere it would affect the whole process. */
export function lowerThread(): void {
  if (process.platform === "linux") lower(0, lowered.bulk);
}

/** Lowers the priority of all threads of this process, whose work is calls. */
export function lowerOwnProcess(): void {
  if (process.platform !== "linux") return;
  for (const thread of readdirSync("/proc/self/task")) lower(Number(thread), lowered.calls);
  lowerSession(process.pid, lowered.calls);
}

/** Lowers the priority of another of our processes, as far as the system allows. */
export function lowerProcess(pid: number, work: keyof typeof lowered): void {
  if (process.platform !== "linux") return;
  lower(pid, lowered[work]);
  lowerSession(pid, lowered[work]);
}

function lower(thread: number, { niceness, slice }: Lowered): void {
  try {
    setPriority(thread, niceness);
    takeSlices(thread, slice);
  } catch {
    // another user's process, or a thread that has ended
  }
}

/**
 * With autogrouping, processes of different sessions compare the niceness of their sessions. A process that does not lead
 * its session shares it with others, such as a shell, which are left alone.
 */
function lowerSession(pid: number, way: Lowered): void {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [, , , session] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    if (Number(session) !== pid) return;
    writeFileSync(`/proc/${pid}/autogroup`, `${way.niceness}`);
  } catch (error) {
    // a system without autogrouping, or a process that has ended
    if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
    // without privileges, the system takes one niceness in a tenth of a second
    setTimeout(lowerSession, 100 + 400 * Math.random(), pid, way).unref();
  }
}

/** Lets this thread, which does more than answer, be displaced by the threads that answer; the shares stay equal. */
export const takeLongSlices = () => takeSlices(0, lowered.calls.slice);

/** Gives this thread the system's slices, also if the thread that started it has others. */
export const takeUsualSlices = () => takeSlices(0, 0n);

/** The first version of `struct sched_attr` of sched_setattr(2). */
const attr = { octets: 48, flags: 8, nice: 16, runtime: 24 } as const;
/** SCHED_FLAG_KEEP_POLICY. */
const keepPolicy = 8n;
const setattr = { x64: 314, arm64: 274 } as const;

/** Sets the slices of a thread, 0 for the system's, where this is supported. */
function takeSlices(thread: number, slice: bigint): void {
  const number = setattr[process.arch as keyof typeof setattr];
  if (!hasLibc() || number === undefined) return;
  const view = new DataView(new ArrayBuffer(attr.octets));
  view.setUint32(0, attr.octets, true);
  view.setBigUint64(attr.flags, keepPolicy, true);
  view.setInt32(attr.nice, getPriority(thread), true);
  view.setBigUint64(attr.runtime, slice, true);
  libc().syscall(number, thread, new Uint8Array(view.buffer), 0);
}

/**
 * Raises the priority of this thread, where allowed: for root, with CAP_SYS_NICE, or by RLIMIT_NICE. Threads that it
 * starts have the same. Returns a function that takes it back from all of them.
 */
export function raiseForStart(): () => void {
  if (process.platform !== "linux") return () => {};
  const before = getPriority();
  try {
    // starts the threads for file operations, which keep the priority that they begin with
    stat("/", () => {});
    setPriority(0, starting);
  } catch {
    // not allowed; the priority stays normal
    return () => {};
  }
  return () => {
    for (const thread of readdirSync("/proc/self/task").map(Number)) restore(thread, before);
  };
}

function restore(thread: number, niceness: number): void {
  try {
    if (getPriority(thread) === starting) setPriority(thread, niceness);
  } catch {
    // the thread has ended
  }
}
