/** Work that others go before: threads and processes that move much, beside those that somebody waits for. */
import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";

const niceness = 10;

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
