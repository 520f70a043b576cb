/** Memory of a process by the system's figures. */
import { readFileSync } from "node:fs";

/** Proportional set size: a process's own memory, and its share of shared memory. */
export function proportionalOctets(pid: number): number {
  const [, kilobytes] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}
