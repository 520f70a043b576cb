/** Memory of processes, with shared memory included once. */
import { readFileSync } from "node:fs";

/** The proportional set size of all processes together, in megabytes. */
export function memoryOf(pids: readonly number[]): number {
  const sizes = pids.map((pid) => {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1]) / 1024;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The peak resident size of a process, in megabytes. */
export function peakOf(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}
