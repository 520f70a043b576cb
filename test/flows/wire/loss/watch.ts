/**
 * Runs inside a network namespace: repeatedly prints the status of an edge there and then its answer, as a line of JSON.
 * Arguments: the port of DNS, that of metrics, a name with a number as its TXT record.
 */
import { setTimeout as delay } from "node:timers/promises";
import { ask } from "../../../engine/states.ts";
import { metric } from "../metrics.ts";

export interface Seen {
  /** Unix milliseconds before the edge was asked. */
  readonly at: number;
  /** Seconds, from the edge's metrics. */
  readonly behind: number;
  readonly revision: number;
  /** The content of the edge's answer. */
  readonly count: number;
}

const every = 100;
const [dns, metrics, name] = process.argv.slice(2);
const url = `http://127.0.0.1:${metrics}/metrics`;

for (;;) {
  const seen = await read().catch(() => undefined);
  if (seen) process.stdout.write(`${JSON.stringify(seen)}\n`);
  await delay(every);
}

async function read(): Promise<Seen> {
  const at = Date.now();
  const behind = await metric(url, "fairlead_edge_behind_seconds");
  const revision = await metric(url, "fairlead_edge_revision");
  const answer = await ask({ address: "127.0.0.1", port: Number(dns) }, `${name} TXT`);
  return { at, behind, revision, count: Number(/(\d+)"?$/.exec(answer)?.[1]) };
}
