/** Prometheus metrics of an edge: the sums of the workers' counters, and its position in the change stream. */
import { Counter, Gauge, Registry } from "prom-client";
import type { ImageStats } from "../../answer/image/writer/writer.ts";
import { countOverflows, type UdpEndpoint } from "../../net/udp/overflow.ts";
import type { Quarantined } from "../follow/quarantine.ts";
import type { QueryLog } from "../querylog/query-log.ts";
import type { SnapshotStatus } from "../snapshot/edge-snapshots.ts";
import type { UsageStatus } from "../usage/usage.ts";
import { counted } from "../workers/counters.ts";
import type { WorkerSlot } from "../workers/worker-slot.ts";
import { registerImageMetrics } from "./image.ts";
import { printTimes, registerQueryLog, registerQueryMetrics } from "./queries.ts";
import { registerSnapshotMetrics } from "./snapshot.ts";

/** Facts of the edge's main thread, read at each scrape. */
export interface EdgeFacts {
  readonly revision: number;
  readonly behind: number;
  readonly image: ImageStats;
  readonly refused: number;
  readonly full: boolean;
  /** Change sets. */
  readonly waiting: number;
  /** Octets; 0 for none. */
  readonly memoryLimit: number;
  readonly quarantined: readonly Quarantined[];
  readonly usage: UsageStatus;
  readonly queryLog: QueryLog | undefined;
  readonly snapshot: SnapshotStatus | undefined;
  /** Position in the stream of live values, and the size of their table. */
  readonly live: {
    readonly revision: number;
    readonly behind: number;
    readonly values: number;
    readonly octets: number;
    readonly refused: number;
  };
}

const transports = { udp: "udp", stream: "tcp" } as const;

const rcodeNames = ["NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP", "REFUSED", "YXDOMAIN"];

/** Returns a function that renders the text of /metrics. `places` are the UDP endpoints that answer DNS. */
export function makeMetrics(
  slots: readonly WorkerSlot[],
  places: readonly UdpEndpoint[],
  facts: () => EdgeFacts,
): () => Promise<string> {
  const registry = new Registry();
  const registers = [registry];
  const count = (name: string, help: string, kind: WorkerSlot["kind"] | "any", index: number) =>
    new Counter({
      name,
      help,
      labelNames: kind === "any" ? ["transport"] : [],
      registers,
      collect() {
        this.reset();
        for (const slot of slots) {
          if (kind === "any") this.inc({ transport: transports[slot.kind] }, slot.counts[index]!);
          else if (slot.kind === kind) this.inc(slot.counts[index]!);
        }
      },
    });
  count("fairlead_dns_queries_total", "Queries received", "any", counted.queries);
  count("fairlead_dns_silent_total", "Queries left without an answer", "any", counted.silent);
  count("fairlead_dns_faults_total", "Queries that met a fault of the server", "any", counted.faults);
  count("fairlead_dns_limited_total", "Answers held back from clients over a limit", "udp", counted.limited);
  count("fairlead_udp_batches_total", "Receiving system calls that brought datagrams", "udp", counted.udp.batches);
  count("fairlead_udp_datagrams_total", "Datagrams received", "udp", counted.udp.datagrams);
  count("fairlead_udp_dropped_total", "Datagrams that cannot be answered", "udp", counted.udp.dropped);
  count("fairlead_udp_late_total", "Datagrams that had waited for too long", "udp", counted.udp.late);
  count("fairlead_udp_unsent_total", "Answers that the system refused to send", "udp", counted.udp.unsent);
  const overflowed = "Datagrams that the system dropped because the workers were behind";
  grown(registers, "fairlead_udp_overflowed_total", overflowed, () => countOverflows(places));
  count("fairlead_tcp_accepted_total", "TCP connections accepted", "stream", counted.tcp.accepted);
  count("fairlead_tcp_evicted_total", "TCP connections closed to make room", "stream", counted.tcp.evicted);
  count("fairlead_dot_accepted_total", "Of the connections, those for DNS over TLS", "stream", counted.tcp.tls);
  count("fairlead_doh_accepted_total", "Of the connections, those for DNS over HTTPS", "stream", counted.tcp.https);
  count("fairlead_tls_failed_total", "TLS handshakes that came to nothing", "stream", counted.tcp.unsecured);
  countAnswers(registers, slots);
  registerImageMetrics(registers, () => facts().image);
  registerSnapshotMetrics(registers, () => facts().snapshot);
  registerQueryMetrics(registers, slots, () => facts().usage);
  registerQueryLog(registers, slots, () => facts().queryLog);
  gauge(registers, "fairlead_tcp_connections", "TCP connections open", () =>
    slots.reduce((sum, slot) => sum + (slot.kind === "stream" ? slot.counts[counted.tcp.connections]! : 0), 0),
  );
  grown(registers, "fairlead_edge_worker_restarts_total", "Workers replaced", () =>
    slots.reduce((sum, slot) => sum + slot.restarts, 0),
  );
  grown(registers, "fairlead_edge_worker_spins_total", "Of them, those that span", () =>
    slots.reduce((sum, slot) => sum + slot.spins, 0),
  );
  gauge(registers, "fairlead_edge_full", "Whether changes wait for memory", () => Number(facts().full));
  const waiting = "Change sets that wait for memory, or for contents of a zone that are built";
  gauge(registers, "fairlead_edge_waiting_changes", waiting, () => facts().waiting);
  const limit = "Memory that the image may have, 0 for no limit";
  gauge(registers, "fairlead_edge_memory_limit_octets", limit, () => facts().memoryLimit);
  const held = (kind: Quarantined["kind"]) => () => facts().quarantined.filter((one) => one.kind === kind).length;
  gauge(registers, "fairlead_edge_names_reverted", "Names that fail and are answered as before", held("name"));
  gauge(registers, "fairlead_edge_zones_shut", "Zones that fail and of which nothing is answered", held("zone"));
  gauge(registers, "fairlead_edge_revision", "Revision of the configuration applied last", () => facts().revision);
  gauge(
    registers,
    "fairlead_edge_behind_seconds",
    "Time since the edge was known to be current",
    () => facts().behind / 1000,
  );
  grown(
    registers,
    "fairlead_edge_refused_total",
    "Zones and records that cannot be served and were left out",
    () => facts().refused,
  );
  gaugeLive(registers, () => facts().live);
  return async () => (await registry.metrics()) + printTimes(slots);
}

function gaugeLive(registers: Registry[], live: () => EdgeFacts["live"]): void {
  gauge(registers, "fairlead_edge_live_revision", "Revision of the feeds' values applied last", () => live().revision);
  gauge(
    registers,
    "fairlead_edge_live_behind_seconds",
    "Time since the feeds' values were known to be current",
    () => live().behind / 1000,
  );
  gauge(registers, "fairlead_edge_live_values", "Values of feeds that are held", () => live().values);
  gauge(registers, "fairlead_edge_live_octets", "Memory of the feeds' values", () => live().octets);
  grown(
    registers,
    "fairlead_edge_live_refused_total",
    "Values of feeds that cannot be served and were left out",
    () => live().refused,
  );
}

function countAnswers(registers: Registry[], slots: readonly WorkerSlot[]): void {
  new Counter({
    name: "fairlead_dns_answers_total",
    help: "Answers by the RCODE in their header",
    labelNames: ["transport", "rcode"],
    registers,
    collect() {
      this.reset();
      for (const { kind, counts } of slots) {
        for (let rcode = 0; rcode < 16; rcode++) {
          const answers = counts[counted.rcodes + rcode]!;
          if (answers === 0) continue;
          this.inc({ transport: transports[kind], rcode: rcodeNames[rcode] ?? `RCODE${rcode}` }, answers);
        }
      }
    },
  });
}

/** A counter whose value is maintained elsewhere. */
function grown(registers: Registry[], name: string, help: string, value: () => number): void {
  new Counter({
    name,
    help,
    registers,
    collect() {
      this.reset();
      this.inc(value());
    },
  });
}

function gauge(registers: Registry[], name: string, help: string, value: () => number): void {
  new Gauge({
    name,
    help,
    registers,
    collect() {
      this.set(value());
    },
  });
}
