/** Finds and stops the server's processes through /proc, since a server that was taken over is not our child. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { type Cluster, postmasterOf } from "./cluster.ts";

/** Milliseconds for a fast shutdown, which can hang in crash recovery. The immediate shutdown after it costs a recovery. */
const stopWithin = 4000;

/** Returns the postmaster and its children; none when the server is down. */
export function processesOf(cluster: Cluster): number[] {
  const postmaster = runningPostmaster(cluster);
  return postmaster === undefined ? [] : [postmaster, ...childrenOf(postmaster)];
}

/** Stops the server and rolls back running transactions; stops it immediately after `stopWithin`. */
export async function stopServer(cluster: Cluster): Promise<void> {
  const deadline = performance.now() + stopWithin;
  for (let sent = false; ; sent = true) {
    const pid = runningPostmaster(cluster);
    if (pid === undefined) return;
    if (performance.now() > deadline) signal(pid, "SIGQUIT");
    else if (!sent) signal(pid, "SIGINT");
    await delay(10);
  }
}

/** Resolves when the server has ended. */
export async function endOfServer(cluster: Cluster): Promise<void> {
  while (runningPostmaster(cluster) !== undefined) await delay(200);
}

/** Returns the running postmaster. After a crash the pid file can name an unrelated process. */
function runningPostmaster(cluster: Cluster): number | undefined {
  const pid = postmasterOf(cluster);
  if (pid === undefined || stateOf(pid)?.state === "Z") return undefined;
  try {
    const args = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return args.includes(cluster.data) ? pid : undefined;
  } catch {
    return undefined;
  }
}

const childrenOf = (parent: number): number[] =>
  readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => stateOf(pid)?.parent === parent);

/** proc(5): the program's name is in parentheses and can contain any character. */
function stateOf(pid: number): { state: string; parent: number } | undefined {
  try {
    const [, state, parent] = /^\d+ \(.*\) (\S) (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return state === undefined ? undefined : { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

function signal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name);
  } catch {
    // the process has ended already
  }
}
