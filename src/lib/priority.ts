/** Who goes first: threads that somebody waits for before those that move much. */
import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";

const niceness = 10;
/** Of what answers: three times the share of others, so that they are held up and never starved. */
const answering = -5;

/** Has this thread go on when nobody else wants to. On Linux this concerns the thread; elsewhere it would the process. */
export function lowerThread(): void {
  if (process.platform === "linux") setPriority(0, niceness);
}

/** The same for another process of ours. What the system does not allow is not done. */
export function lowerProcess(pid: number): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(pid, niceness);
    // such a process is a session of its own, and where each session has its share of the cores that is what counts
    writeFileSync(`/proc/${pid}/autogroup`, `${niceness}`);
  } catch {
    // somebody else's process, or a system without such shares
  }
}

/** Has this thread go before others, where the system allows it: to root, with CAP_SYS_NICE, or by RLIMIT_NICE. */
export function raiseThread(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, answering);
  } catch {
    // it goes on as one of many
  }
}

/** The same for this process among other sessions, where each of them has its share of the cores. */
export function raiseSession(): void {
  try {
    writeFileSync("/proc/self/autogroup", `${answering}`);
  } catch {
    // not allowed, or a system without such shares
  }
}
