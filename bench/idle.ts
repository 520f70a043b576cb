/**
 * The idle service: proportional memory and CPU time of each role. The service has run once before, so that its code is
 * compiled.
 */
import { setTimeout as delay } from "node:timers/promises";
import { type CpuTime, cpuTime, timeOfEnded } from "../test/machine/proc.ts";
import { type Service, service } from "../test/service/kit.ts";
import { rolesOf } from "../test/service/roles.ts";
import { bench } from "./kit/bench.ts";
import { memoryOf } from "./kit/memory.ts";
import { atMost, type Row } from "./kit/rows.ts";

const name = "idle";
const roles = ["supervisor", "control", "edge", "store"] as const;
/** Limits for all roles together: megabytes, and percent of a core. */
const most = { memory: 300, cpu: 0.5 };

await bench(async (scale): Promise<Row[]> => {
  await (await service()).stop();
  await using running = await service();
  await delay(scale(60, 10) * 1000);
  const seconds = scale(120, 10);
  const before = timesOf(running);
  await delay(seconds * 1000);
  const after = timesOf(running);
  const processes = rolesOf(running);
  const memory = roles.map((role) => memoryOf(processes[role]));
  const cpu = roles.map((_, n) => ((after[n]! - before[n]!) / seconds) * 100);
  const row = { name, peers: {}, target: "" };
  const [inAll, ofCore] = [sum(memory), sum(cpu)];
  return [
    ...roles.map((role, n) => ({ ...row, measure: `${role}: in proportion`, unit: "MB", ours: memory[n]! })),
    { ...row, measure: "all: in proportion", unit: "MB", ours: inAll, ...atMost(inAll, most.memory, "MB") },
    ...roles.map((role, n) => ({ ...row, measure: `${role}: CPU time`, unit: "% of a core", ours: cpu[n]! })),
    { ...row, measure: "all: CPU time", unit: "% of a core", ours: ofCore, ...atMost(ofCore, most.cpu, "% of a core") },
  ];
});

/** Seconds of CPU time of each role so far, including its processes that have ended. */
function timesOf(running: Service): readonly number[] {
  const processes = rolesOf(running);
  const total = ({ user, system }: CpuTime) => user + system;
  return roles.map((role) => {
    const pids = processes[role];
    const ended = role === "store" ? total(timeOfEnded(pids[0]!)) : 0;
    return total(cpuTime(pids)) + ended;
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
