/** The server's processes as the system shows them: a server that was taken over is no child of ours. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { type Cluster, postmasterOf } from "./cluster.ts";

/** A fast shutdown that meets crash recovery can get stuck; an immediate one is safe too, and costs a recovery. */
const stopWithin = 4000;

/** The postmaster and its children; none when the server is down. */
export function processesOf(cluster: Cluster): number[] {
  const postmaster = runningPostmaster(cluster);
  return postmaster === undefined ? [] : [postmaster, ...childrenOf(postmaster)];
}

/** Ends the server by rolling back what is under way; at once when it takes too long. */
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

/** Resolves when the server is seen to be gone. */
export async function endOfServer(cluster: Cluster): Promise<void> {
  while (runningPostmaster(cluster) !== undefined) await delay(200);
}

/** The file may be left from a crash and name a process that has nothing to do with us. */
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

/** proc(5): the program's name stands in parentheses and may hold anything. */
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
    // it ended by itself
  }
}
