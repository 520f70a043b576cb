/** Priorities of threads and processes: threads that answer callers run before bulk work. */
import { stat, writeFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

const niceness = 10;
/** The niceness of threads that answer: three times the CPU share of other threads, which are never starved. */
const answering = -5;

/** Lowers the priority of this thread. Only on Linux; elsewhere it would affect the whole process. */
export function lowerThread(): void {
  if (process.platform === "linux") setPriority(0, niceness);
}

/** Lowers the priority of another of our processes, as far as the system allows. */
export function lowerProcess(pid: number): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(pid, niceness);
    // the process is a separate session, and with autogrouping only the session's niceness has an effect
    writeFileSync(`/proc/${pid}/autogroup`, `${niceness}`);
  } catch {
    // another user's process, or a system without autogrouping
  }
}

/**
 * Raises the priority of this thread, where allowed: for root, with CAP_SYS_NICE, or by RLIMIT_NICE. Threads that it starts
 * afterwards have the same.
 */
export function raiseThread(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, answering);
  } catch {
    // not allowed; the priority stays normal
  }
}

/** Raises the priority of this thread for a while, and returns a function that takes it back. */
export function raiseThreadForStart(): () => void {
  if (process.platform !== "linux") return () => {};
  const before = getPriority();
  // starts the threads for file operations, which keep the priority that they begin with
  stat("/", () => {});
  raiseThread();
  return () => setPriority(0, before);
}

/** Raises the priority of this process among other sessions, on systems with autogrouping. */
export function raiseSession(): void {
  try {
    writeFileSync("/proc/self/autogroup", `${answering}`);
  } catch {
    // not allowed, or a system without autogrouping
  }
}
