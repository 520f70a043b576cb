/** Common code of benches: a load of API clients, and percentiles. */

import { cpuTime } from "../../test/machine/proc.ts";
import type { Service } from "../../test/service/kit.ts";
import { rolesOf } from "../../test/service/roles.ts";
import { apiClient, type Call } from "./client.ts";
import { atMost, type Row } from "./rows.ts";

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  );

/** Rows for the median and 99th percentile of milliseconds, with their targets. */
export function delayRows(
  name: string,
  what: string,
  times: readonly number[],
  expected?: { readonly p50?: number; readonly p99: number },
): Row[] {
  const sorted = times.toSorted((a, b) => a - b);
  const row = (label: string, share: number, most: number | undefined): Row => {
    const ours = percentile(sorted, share);
    const judged = most === undefined ? { target: "" } : atMost(ours, most, "ms");
    return { name, measure: `${what}: ${label}`, unit: "ms", ours, peers: {}, ...judged };
  };
  return [row("p50", 0.5, expected?.p50), row("p99", 0.99, expected?.p99)];
}

export interface Load {
  /** Milliseconds of CPU time for each call: of the API's process, of the store, and of the edge. */
  readonly control: number;
  readonly store: number;
  readonly edge: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly count: number;
}

/** Runs clients for some seconds, each with one call after another; `next` returns the n-th call of a client. */
export async function load(
  service: Service,
  clients: number,
  seconds: number,
  next: (client: number, n: number) => Call,
  key = service.key,
): Promise<Load> {
  const times: number[] = [];
  const roles = rolesOf(service);
  const used = (pids: readonly number[]) => {
    const { user, system } = cpuTime(pids);
    return (user + system) * 1000;
  };
  const before = { control: used(roles.control), store: used(roles.store), edge: used(roles.edge) };
  const began = performance.now();
  const end = began + seconds * 1000;
  const one = async (_: unknown, client: number) => {
    const { call, close } = await apiClient({ url: service.url, key });
    for (let n = 0; performance.now() < end; n++) {
      const sent = performance.now();
      await call(next(client, n));
      times.push(performance.now() - sent);
    }
    close();
  };
  await Promise.all(Array.from({ length: clients }, one));
  times.sort((a, b) => a - b);
  const elapsed = (performance.now() - began) / 1000;
  return {
    control: (used(roles.control) - before.control) / times.length,
    store: (used(rolesOf(service).store) - before.store) / times.length,
    edge: (used(roles.edge) - before.edge) / times.length,
    perSecond: times.length / elapsed,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    count: times.length,
  };
}
