/** Prometheus metrics of queries: types, answer times, cache hits, the busiest zones. */
import { Counter, Gauge, type Registry } from "prom-client";
import type { QueryLog } from "../querylog/query-log.ts";
import type { UsageStatus } from "../usage/usage.ts";
import { counted, countedTypes, shortestTime, timeBounds } from "../workers/counters.ts";
import type { WorkerSlot } from "../workers/worker-slot.ts";

export function registerQueryMetrics(
  registers: Registry[],
  slots: readonly WorkerSlot[],
  usage: () => UsageStatus,
): void {
  const sum = (index: number) => slots.reduce((sum, { counts }) => sum + counts[index]!, 0);
  new Counter({
    name: "fairlead_dns_questions_total",
    help: "Questions looked up in the zones, by type",
    labelNames: ["type"],
    registers,
    collect() {
      this.reset();
      countedTypes.forEach((type, index) => {
        this.inc({ type }, sum(counted.types + index));
      });
      this.inc({ type: "other" }, sum(counted.types + countedTypes.length));
    },
  });
  for (const secure of ["tls", "https"] as const) {
    new Counter({
      name: `fairlead_dns_${secure}_queries_total`,
      help: "Of the queries over TCP, those inside TLS or HTTPS",
      registers,
      collect() {
        this.reset();
        this.inc(sum(counted.secure[secure]));
      },
    });
  }
  for (const [result, help] of [
    ["asked", "Look-ups in a cache"],
    ["found", "Look-ups in a cache that found what they looked for"],
  ] as const) {
    new Counter({
      name: `fairlead_cache_${result}_total`,
      help,
      labelNames: ["cache"],
      registers,
      collect() {
        this.reset();
        for (const cache of ["chains", "geo"] as const) this.inc({ cache }, sum(counted[cache][result]));
      },
    });
  }
  new Gauge({
    name: "fairlead_edge_worker_up",
    help: "Whether a worker answers",
    labelNames: ["worker", "kind"],
    registers,
    collect() {
      slots.forEach(({ kind, isUp }, worker) => {
        this.set({ worker, kind }, isUp ? 1 : 0);
      });
    },
  });
  registerUsage(registers, usage);
}

function registerUsage(registers: Registry[], usage: () => UsageStatus): void {
  new Gauge({
    name: "fairlead_dns_zone_queries_per_second",
    help: "Queries for the zones that had the most of them in the last ten seconds",
    labelNames: ["zone"],
    registers,
    collect() {
      this.reset();
      for (const { zone, rate } of usage().zones) this.set({ zone }, rate);
    },
  });
  new Gauge({
    name: "fairlead_usage_waiting_reports",
    help: "Reports of queries that wait for the store",
    registers,
    collect() {
      this.set(usage().waiting);
    },
  });
  new Counter({
    name: "fairlead_usage_lost_total",
    help: "Queries that statistics do not tell of, for want of room",
    registers,
    collect() {
      this.reset();
      this.inc(usage().lost);
    },
  });
}

/** Metrics of the query log; they stay 0 without one. */
export function registerQueryLog(
  registers: Registry[],
  slots: readonly WorkerSlot[],
  queryLog: () => QueryLog | undefined,
): void {
  const count = (name: string, help: string, value: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  const leftOut = () => slots.reduce((sum, { tap }) => sum + (tap ? Atomics.load(tap.waiting, 1) : 0), 0);
  count("fairlead_query_log_written_total", "Queries written to the query log", () => queryLog()?.written ?? 0);
  count(
    "fairlead_query_log_dropped_total",
    "Queries left out of the query log because it was behind",
    () => leftOut() + (queryLog()?.dropped ?? 0),
  );
}

const timesName = "fairlead_dns_answer_seconds";

/** A histogram in Prometheus' text format: the counts are already in buckets, which prom-client does not accept. */
export function printTimes(slots: readonly WorkerSlot[]): string {
  const sum = (index: number) => slots.reduce((sum, { counts }) => sum + counts[index]!, 0);
  const lines = [
    `# HELP ${timesName} Time in which one answer in 256 was made, without what sockets and system take`,
    `# TYPE ${timesName} histogram`,
  ];
  let count = 0;
  for (let bound = 0; bound <= timeBounds; bound++) {
    count += sum(counted.times + bound);
    const seconds = bound === timeBounds ? "+Inf" : String((shortestTime * 2 ** bound) / 1e9);
    lines.push(`${timesName}_bucket{le="${seconds}"} ${count}`);
  }
  lines.push(`${timesName}_sum ${sum(counted.timed) / 1e9}`, `${timesName}_count ${count}`, "");
  return lines.join("\n");
}
