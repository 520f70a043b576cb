/** V8 flags for garbage collection: short pauses instead of the most throughput. */
import type { Role } from "./link.ts";

/**
 * V8's helper threads for garbage collection compete with the threads that answer queries and cost them up to a scheduler
 * tick. An edge has no helper threads, and control only those for long collections. Control collects young objects early:
 * each pause is a sixth as long, and the pauses take the same time in total. An edge without a supervisor competes with
 * fewer threads, and keeps V8's defaults, which take 15 MB less.
 */
export const gcFlags: Readonly<Record<Role, readonly string[]>> = {
  edge: ["--single-threaded-gc", "--max-semi-space-size=2", "--v8-pool-size=1"],
  control: ["--no-parallel-scavenge", "--max-semi-space-size=8", "--v8-pool-size=1"],
};

/** For control without a supervisor: executes the program again with the flags, in the same process, unless it has them. */
export function restartWithGcFlags(): void {
  const flags = gcFlags.control;
  const { execPath, execArgv, argv } = process;
  // without execve(2), the flags are not set
  if (flags.every((flag) => execArgv.includes(flag)) || !process.execve) return;
  process.execve(execPath, [execPath, ...execArgv, ...flags, ...argv.slice(1)]);
}
