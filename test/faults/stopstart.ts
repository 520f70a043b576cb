/**
 * Terminates the edge (SIGTERM), idle and under load, suspends it (SIGSTOP) under load, and saves a log: node
 * test/faults/stopstart.ts [rounds] [seed]
 */

import { savedLog } from "../machine/saved-log.ts";
import { service } from "../service/kit.ts";
import { type EdgeRounds, edgeRounds } from "./edges.ts";
import { describeTally } from "./load.ts";
import { prepare } from "./load-zone.ts";

const [rounds = "100", seed = `${Date.now() % 1_000_000}`] = process.argv.slice(2);
const log = await savedLog("stopstart", Number(seed), import.meta.dirname);
const runs: readonly Pick<EdgeRounds, "signal" | "rate" | "rounds">[] = [
  { signal: "SIGTERM", rate: 0, rounds: Number(rounds) },
  { signal: "SIGTERM", rate: 2000, rounds: Number(rounds) },
  { signal: "SIGSTOP", rate: 2000, rounds: Math.ceil(Number(rounds) / 10) },
];
await using running = await service();
await prepare(running);
let faults = 0;
for (const run of runs) {
  const { silences, udp, descriptors } = await edgeRounds(running, { ...run, seed: Number(seed) });
  const sorted = silences.toSorted((a, b) => a - b);
  const [first, last] = descriptors;
  log.say(
    `${run.signal} ${run.rounds} times, ${run.rate > 0 ? `${run.rate} queries/s` : "idle"}: ` +
      `without an answer ${sorted[Math.floor(sorted.length / 2)]} ms in the median, ${sorted.at(-1)} ms at most; ` +
      `descriptors of the supervisor ${first}, then ${last}`,
  );
  if (udp) log.say(`UDP: ${describeTally(udp)}`);
  if (last > first) faults++;
  if (udp) faults += udp.lost + udp.wrong;
}
log.write();
process.exitCode = faults === 0 ? 0 : 1;
