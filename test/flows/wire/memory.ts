/** Memory of a process as the system counts it. */
import { readFileSync } from "node:fs";

/** Proportional set size: what a process alone holds, and its part of what it shares. */
export function proportionalOctets(pid: number): number {
  const [, kilobytes] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}
