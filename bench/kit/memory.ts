/** Memory of processes: what they share counts once. */
import { readFileSync } from "node:fs";

/** Proportional set size of all of them together, in megabytes. */
export function memoryOf(pids: readonly number[]): number {
  const sizes = pids.map((pid) => {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1]) / 1024;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The greatest resident size that a process ever had, in megabytes. */
export function peakOf(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}
