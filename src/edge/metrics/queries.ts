/** Prometheus metrics of queries: types, answer times, cache hits, the busiest zones. */
import type { QueryLog } from "../querylog/query-log.ts";
import { countedTypes } from "../usage/counted-types.ts";
import type { EdgeUsage } from "../usage/usage.ts";
import { counted, shortestTime, timeBounds } from "../workers/counters.ts";
import type { WorkerSlot } from "../workers/worker-slot.ts";
import type { Metrics } from "./collected.ts";

const transports = { udp: "udp", stream: "tcp" } as const;

const rcodeNames = ["NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP", "REFUSED", "YXDOMAIN"];

const sumIn = (slots: readonly WorkerSlot[], index: number) =>
  slots.reduce((sum, { counts }) => sum + counts[index]!, 0);

export function registerQueries({ counter }: Metrics, slots: readonly WorkerSlot[]): void {
  const byTransport = (name: string, help: string, index: number) => {
    const sum = (of: WorkerSlot["kind"]) =>
      sumIn(
        slots.filter(({ kind }) => kind === of),
        index,
      );
    const values = () =>
      (["udp", "stream"] as const).map((kind) => [{ transport: transports[kind] }, sum(kind)] as const);
    counter(name, help, values, "transport");
  };
  byTransport("fairlead_dns_queries_total", "Queries received", counted.queries);
  byTransport("fairlead_dns_silent_total", "Queries without an answer", counted.silent);
  byTransport("fairlead_dns_faults_total", "Queries that met a fault of the server", counted.faults);
  const answers = () =>
    slots.flatMap(({ kind, counts }) =>
      [...counts.subarray(counted.rcodes, counted.rcodes + 16)].flatMap((answers, rcode) =>
        answers === 0
          ? []
          : [[{ transport: transports[kind], rcode: rcodeNames[rcode] ?? `RCODE${rcode}` }, answers] as const],
      ),
    );
  counter("fairlead_dns_answers_total", "Answers by the RCODE in their header", answers, "transport", "rcode");
  const types = () =>
    [...countedTypes, "other"].map((type, index) => [{ type }, sumIn(slots, counted.types + index)] as const);
  counter("fairlead_dns_questions_total", "Questions looked up in the zones, by type", types, "type");
  const over = (secure: "tls" | "https") => () => sumIn(slots, counted.secure[secure]);
  counter("fairlead_dns_tls_queries_total", "Queries over TLS", over("tls"));
  counter("fairlead_dns_https_queries_total", "Queries over HTTPS", over("https"));
  const caches = (of: "asked" | "found") => () =>
    (["chains", "geo"] as const).map((cache) => [{ cache }, sumIn(slots, counted[cache][of])] as const);
  counter("fairlead_cache_asked_total", "Look-ups in a cache", caches("asked"), "cache");
  counter("fairlead_cache_found_total", "Look-ups in a cache that were hits", caches("found"), "cache");
}

export function registerUsage({ counter, gauge }: Metrics, usage: EdgeUsage): void {
  const busiest = "Queries for each of the busiest zones of the last ten seconds";
  const rates = () => usage.status().zones.map(({ zone, rate }) => [{ zone }, rate] as const);
  gauge("fairlead_dns_zone_queries_per_second", busiest, rates, "zone");
  gauge("fairlead_usage_waiting_reports", "Usage reports that wait for the store", () => usage.status().waiting);
  counter(
    "fairlead_usage_lost_total",
    "Queries missing in usage reports for lack of memory",
    () => usage.status().lost,
  );
}

/** Metrics of the query log; they stay 0 without one. */
export function registerQueryLog(
  { counter }: Metrics,
  slots: readonly WorkerSlot[],
  queryLog: QueryLog | undefined,
): void {
  const leftOut = () => slots.reduce((sum, { tap }) => sum + (tap ? Atomics.load(tap.waiting, 1) : 0), 0);
  const written = () => queryLog?.written ?? 0;
  const dropped = () => leftOut() + (queryLog?.dropped ?? 0);
  counter("fairlead_query_log_written_total", "Queries written to the query log", written);
  counter("fairlead_query_log_dropped_total", "Queries left out of the query log because it was behind", dropped);
}

const timesName = "fairlead_dns_answer_seconds";

/** A histogram in Prometheus' text format: the counts are already in buckets, which prom-client does not accept. */
export function printTimes(slots: readonly WorkerSlot[]): string {
  const lines = [
    `# HELP ${timesName} Time to make an answer, without sockets and system, for one answer in 256`,
    `# TYPE ${timesName} histogram`,
  ];
  let count = 0;
  for (let bound = 0; bound <= timeBounds; bound++) {
    count += sumIn(slots, counted.times + bound);
    const seconds = bound === timeBounds ? "+Inf" : String((shortestTime * 2 ** bound) / 1e9);
    lines.push(`${timesName}_bucket{le="${seconds}"} ${count}`);
  }
  lines.push(`${timesName}_sum ${sumIn(slots, counted.timed) / 1e9}`, `${timesName}_count ${count}`, "");
  return lines.join("\n");
}
