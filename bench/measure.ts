/** What the benchmarks share: percentiles, clients that keep their connection, and a table on the terminal. */
import { Agent, request } from "node:http";
import type { Service } from "../test/kit.ts";

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

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** A client of the API with a connection of its own; throws unless the status is 200. Returns the reply's octets. */
export function apiClient(service: Service): { call(call: Call): Promise<Buffer>; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { "X-SERVICE-Key": service.key, "Content-Type": "application/json" };
  return {
    call: ({ method, path, body }) =>
      new Promise((resolve, reject) => {
        const outgoing = request(`${service.url}/v1/${path}`, { agent, method, headers }, (reply) => {
          const chunks: Buffer[] = [];
          reply.on("data", (chunk: Buffer) => chunks.push(chunk));
          reply.on("end", () => {
            const octets = Buffer.concat(chunks);
            if (reply.statusCode === 200) resolve(octets);
            else reject(new Error(`${method} ${path}: ${reply.statusCode} ${octets.toString()}`));
          });
        });
        outgoing.on("error", reject);
        outgoing.end(body === undefined ? undefined : JSON.stringify(body));
      }),
    close: () => agent.destroy(),
  };
}

export interface Load {
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
  const began = performance.now();
  const end = began + seconds * 1000;
  const one = async (_: unknown, client: number) => {
    const { call, close } = apiClient(service);
    for (let n = 0; performance.now() < end; n++) {
      const before = performance.now();
      await call(next(client, n));
      times.push(performance.now() - before);
    }
    close();
  };
  await Promise.all(Array.from({ length: clients }, one));
  times.sort((a, b) => a - b);
  const elapsed = (performance.now() - began) / 1000;
  return {
    perSecond: times.length / elapsed,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    count: times.length,
  };
}
