/** Finds the processes of a running service by role, and kills them. */
import type { Random } from "../../src/lib/random.ts";
import type { Service } from "../service/kit.ts";
import { rolesOf } from "../service/roles.ts";

export const victims = ["node", "control", "edge", "store", "everything"] as const;
/** `node` is all of Node without the store; `store` is the postmaster with all of its children. */
export type Victim = (typeof victims)[number];

/** Sends SIGKILL to all processes, one right after the other, in random order. Returns their number. */
export function kill(service: Service, victim: Victim, random: Random): number {
  const pids = processesOf(service)[victim];
  const order = pids.map((pid) => ({ pid, place: random() })).sort((a, b) => a.place - b.place);
  for (const { pid } of order) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // ended because another one was killed
    }
  }
  return pids.length;
}

function processesOf(service: Service): Record<Victim, readonly number[]> {
  const { supervisor, control, edge, store } = rolesOf(service);
  const node = [...supervisor, ...control, ...edge];
  return { node, control, edge, store, everything: [...node, ...store] };
}
