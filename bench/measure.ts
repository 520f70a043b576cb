/** What the benchmarks share: a load of clients, percentiles, and a table on the terminal. */
import type { Service } from "../test/kit.ts";
import { cpuTime } from "../test/proc.ts";
import { rolesOf } from "../test/roles.ts";
import { apiClient, type Call } from "./client.ts";

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  );

/** Rows under their headings, in columns. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = headings.map((heading, n) => Math.max(heading.length, ...rows.map((row) => row[n]!.length)));
  const line = (cells: readonly string[]) =>
    cells.map((cell, n) => (n === 0 ? cell.padEnd(widths[n]!) : cell.padStart(widths[n]!))).join("  ");
  process.stdout.write(`${[headings, ...rows].map(line).join("\n")}\n`);
}

/** Median, 99th percentile and greatest of sorted milliseconds, and how the percentile compares with what is expected. */
export function delayColumns(sorted: readonly number[], expected: number): string[] {
  const p99 = percentile(sorted, 0.99);
  return [percentile(sorted, 0.5), p99, sorted.at(-1) ?? Number.NaN]
    .map((time) => time.toFixed(2))
    .concat(`${(p99 / expected).toFixed(2)} x`);
}

export interface Load {
  /** Milliseconds of CPU time for each call: of the process that serves the API, of the store, and of the edge that follows. */
  readonly control: number;
  readonly store: number;
  readonly edge: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly count: number;
}

/** Clients that call one after another for a time; `next` makes the n-th call of a client. */
export async function load(
  service: Service,
  clients: number,
  seconds: number,
  next: (client: number, n: number) => Call,
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
    const { call, close } = await apiClient(service);
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
