/** Processes as the system shows them: their descendants, and their CPU time and memory (proc(5)). */
import { readdirSync, readFileSync } from "node:fs";

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly line: readonly string[];
}

/** Seconds of CPU time. */
export interface CpuTime {
  readonly user: number;
  readonly system: number;
}

const ticksPerSecond = 100;

/** All processes below one, at any depth. */
export function processesBelow(pid: number): Process[] {
  const all = readdirSync("/proc").map(Number).filter(Number.isInteger).flatMap(read);
  const below = (parent: number): Process[] =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)]);
  return below(pid);
}

/** The CPU time of processes since their start, including all threads. A process that has ended counts as 0. */
export function cpuTime(pids: readonly number[]): CpuTime {
  const fields = pids.map(statistics).filter((found) => found !== undefined);
  const sum = (index: number) => fields.reduce((total, field) => total + Number(field[index]), 0) / ticksPerSecond;
  return { user: sum(11), system: sum(12) };
}

/** The exact CPU time of processes in nanoseconds, of all threads that run now. */
export function runTime(pids: readonly number[]): number {
  const times = pids.flatMap((pid) =>
    readdirSync(`/proc/${pid}/task`).map((id) => readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8")),
  );
  return times.reduce((sum, text) => sum + Number(text.split(" ")[0]), 0);
}

/** The CPU time of a process's children that have ended. */
export function timeOfEnded(pid: number): CpuTime {
  const fields = statistics(pid) ?? [];
  return { user: Number(fields[13]) / ticksPerSecond, system: Number(fields[14]) / ticksPerSecond };
}

/** Megabytes of memory that a process has now, and had at most since it began. */
export function memoryOf(pid: number): { readonly now: number; readonly most: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024;
  return { now: field("VmRSS"), most: field("VmHWM") };
}

/** The names of a process's threads, and their niceness. */
export function niceOf(pid: number): readonly (readonly [name: string, nice: number])[] {
  return readdirSync(`/proc/${pid}/task`).map((id) => {
    const stat = readFileSync(`/proc/${pid}/task/${id}/stat`, "utf8");
    const end = stat.lastIndexOf(")");
    return [stat.slice(stat.indexOf("(") + 1, end), Number(stat.slice(end + 2).split(" ")[16])];
  });
}

/** The busy time of a core since boot, including the kernel's own threads. */
export function coreTime(core: number): number {
  const line = readFileSync("/proc/stat", "utf8")
    .split("\n")
    .find((one) => one.startsWith(`cpu${core} `));
  const [user, nice, system, , , irq, softirq] = line!.split(/\s+/).slice(1).map(Number);
  return (user! + nice! + system! + irq! + softirq!) / ticksPerSecond;
}

function read(pid: number): Process[] {
  const fields = statistics(pid);
  if (!fields) return [];
  try {
    const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean);
    return [{ pid, parent: Number(fields[1]), line }];
  } catch {
    return [];
  }
}

/** The fields of `stat` after the name, which is in parentheses and may contain anything; the first is the state. */
function statistics(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ");
  } catch {
    return undefined;
  }
}
