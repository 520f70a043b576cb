/** The server's processes as the system shows them: a server that was taken over is no child of ours. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { type Cluster, postmasterOf } from "./cluster.ts";

const stopWithin = 10_000;

/** The postmaster and its children; none when the server is down. */
export function processesOf(cluster: Cluster): number[] {
  const postmaster = postmasterOf(cluster);
  return postmaster === undefined || !isAlive(postmaster) ? [] : [postmaster, ...childrenOf(postmaster)];
}

/** Ends the server by rolling back what is under way; at once when it takes too long. */
export async function stopServer(cluster: Cluster): Promise<void> {
  const pid = postmasterOf(cluster);
  if (pid === undefined) return;
  const deadline = performance.now() + stopWithin;
  signal(pid, "SIGINT");
  while (isAlive(pid)) {
    if (performance.now() > deadline) signal(pid, "SIGQUIT");
    await delay(10);
  }
}

/** Resolves when the server is seen to be gone. */
export async function endOfServer(cluster: Cluster): Promise<void> {
  const pid = postmasterOf(cluster);
  while (pid !== undefined && isAlive(pid)) await delay(200);
}

function isAlive(pid: number): boolean {
  const state = stateOf(pid);
  return state !== undefined && state.state !== "Z";
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
