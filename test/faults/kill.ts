/** The processes of a running service, by who they are, and their sudden death. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "../../src/lib/random.ts";
import type { Service } from "../kit.ts";
import { processesBelow } from "../proc.ts";

export const victims = ["node", "control", "edge", "store", "everything"] as const;
/** `node` is all of Node without the store; `store` is the postmaster with all of its children. */
export type Victim = (typeof victims)[number];

/** Kills with SIGKILL, one process right after the other, in an order drawn anew each time. Returns how many. */
export function kill(service: Service, victim: Victim, random: Random): number {
  const pids = processesOf(service)[victim];
  const order = pids.map((pid) => ({ pid, place: random() })).sort((a, b) => a.place - b.place);
  for (const { pid } of order) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // ended by the death of another
    }
  }
  return pids.length;
}

function processesOf(service: Service): Record<Victim, number[]> {
  const postmaster = Number(readFileSync(join(service.data, "store/postmaster.pid"), "utf8").split("\n")[0]);
  const store = [postmaster, ...processesBelow(postmaster).map(({ pid }) => pid)];
  const children = processesBelow(service.daemon.pid).filter(({ pid }) => !store.includes(pid));
  const node = [service.daemon.pid, ...children.map(({ pid }) => pid)];
  const role = (name: string) => children.filter(({ line }) => line.at(-1) === name).map(({ pid }) => pid);
  return { node, control: role("control"), edge: role("edge"), store, everything: [...node, ...store] };
}
