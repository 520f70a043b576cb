/** Prometheus metrics of an edge: its workers, zones, feeds and snapshots, and its position in the streams. */
import { Registry } from "prom-client";
import type { ImageStats } from "../../answer/image/writer/writer.ts";
import type { Endpoint } from "../../lib/address/egress.ts";
import { countOverflows } from "../../net/udp/overflow.ts";
import type { Following } from "../follow/following.ts";
import type { LiveFollowing } from "../follow/live-following.ts";
import type { Quarantined } from "../follow/quarantine.ts";
import type { EdgeState } from "../follow/state.ts";
import type { QueryLog } from "../querylog/query-log.ts";
import type { EdgeSnapshots, SnapshotStatus } from "../snapshot/edge-snapshots.ts";
import type { EdgeUsage } from "../usage/usage.ts";
import type { Watch } from "../watch/watch.ts";
import { counted } from "../workers/counters.ts";
import type { WorkerSlot } from "../workers/worker-slot.ts";
import type { Workers } from "../workers/workers.ts";
import { type Metrics, metricsIn } from "./collected.ts";
import { printTimes, registerQueries, registerQueryLog, registerUsage } from "./queries.ts";
import { registerXdp } from "./xdp.ts";

/** The parts of an edge that its metrics are read from. */
interface Parts {
  readonly zones: EdgeState;
  readonly configuration: Following;
  readonly feeds: LiveFollowing;
  readonly watch: Watch;
  readonly usage: EdgeUsage;
  readonly queryLog: QueryLog | undefined;
  readonly snapshots: EdgeSnapshots | undefined;
}

/** Returns a function that renders the text of /metrics. `endpoints` are the UDP addresses that answer DNS. */
export function makeMetrics(
  { slots, queues }: Workers,
  endpoints: readonly Endpoint[],
  { zones, configuration, feeds, watch, usage, queryLog, snapshots }: Parts,
): () => Promise<string> {
  const registry = new Registry();
  const metrics = metricsIn(registry);
  registerQueries(metrics, slots);
  registerListeners(metrics, slots, endpoints);
  registerXdp(metrics, queues);
  registerWorkers(metrics, slots);
  registerUsage(metrics, usage);
  registerQueryLog(metrics, slots, queryLog);
  registerZones(metrics, zones, configuration);
  registerWatch(metrics, watch);
  registerFeeds(metrics, feeds);
  if (snapshots) registerSnapshots(metrics, () => snapshots.status());
  return async () => (await registry.metrics()) + printTimes(slots);
}

function registerListeners({ counter, gauge }: Metrics, slots: readonly WorkerSlot[], endpoints: readonly Endpoint[]) {
  const sumOf = (kind: WorkerSlot["kind"], index: number) => () =>
    slots.reduce((sum, slot) => sum + (slot.kind === kind ? slot.counts[index]! : 0), 0);
  const udp = (name: string, help: string, index: number) => counter(name, help, sumOf("udp", index));
  const stream = (name: string, help: string, index: number) => counter(name, help, sumOf("stream", index));
  udp("fairlead_dns_limited_total", "Answers held back by rate limits", counted.limited);
  udp("fairlead_udp_batches_total", "System calls that received datagrams", counted.udp.batches);
  udp("fairlead_udp_datagrams_total", "Datagrams received", counted.udp.datagrams);
  udp("fairlead_udp_dropped_total", "Datagrams that cannot be answered", counted.udp.dropped);
  udp("fairlead_udp_late_total", "Datagrams dropped because they had waited too long", counted.udp.late);
  udp("fairlead_udp_unsent_total", "Answers that the system refused to send", counted.udp.unsent);
  counter("fairlead_udp_overflowed_total", "Datagrams dropped by the system because receive buffers were full", () =>
    countOverflows(endpoints),
  );
  stream(
    "fairlead_tcp_accepted_total",
    "TCP connections accepted, including those for TLS and HTTPS",
    counted.tcp.accepted,
  );
  stream("fairlead_tcp_evicted_total", "TCP connections closed to make room for others", counted.tcp.evicted);
  stream("fairlead_dot_accepted_total", "Connections accepted for DNS over TLS", counted.tcp.tls);
  stream("fairlead_doh_accepted_total", "Connections accepted for DNS over HTTPS", counted.tcp.https);
  stream("fairlead_tls_failed_total", "TLS handshakes that failed", counted.tcp.unsecured);
  gauge("fairlead_tcp_connections", "Open TCP connections", sumOf("stream", counted.tcp.connections));
}

function registerWorkers({ counter, gauge }: Metrics, slots: readonly WorkerSlot[]): void {
  const up = () => slots.map(({ kind, isUp }, worker) => [{ worker, kind }, isUp ? 1 : 0] as const);
  gauge("fairlead_edge_worker_up", "Whether a worker answers", up, "worker", "kind");
  const sum = (of: "restarts" | "spins") => () => slots.reduce((sum, slot) => sum + slot[of], 0);
  counter("fairlead_edge_worker_restarts_total", "Workers replaced", sum("restarts"));
  counter("fairlead_edge_worker_spins_total", "Workers replaced because they hung", sum("spins"));
}

function registerZones({ counter, gauge }: Metrics, zones: EdgeState, configuration: Following): void {
  const image = (of: keyof ImageStats) => () => zones.stats()[of];
  gauge("fairlead_edge_zones", "Zones in memory", image("zones"));
  gauge("fairlead_edge_rrsets", "RRsets in memory", image("records"));
  gauge("fairlead_edge_image_octets", "Memory for zones", image("octets"));
  gauge("fairlead_edge_image_free_octets", "Memory for zones that is free", image("free"));
  gauge(
    "fairlead_edge_image_waiting_blocks",
    "Replaced blocks of memory that workers may still read",
    image("waiting"),
  );
  const emptied = "Segments of memory that were emptied and given back to the system";
  counter("fairlead_edge_image_emptied_segments_total", emptied, image("emptied"));
  gauge("fairlead_edge_full", "Whether changes wait for memory", () => Number(zones.memory.isFull));
  const waiting = "Change sets that wait for memory, or until contents of a zone are built";
  gauge("fairlead_edge_waiting_changes", waiting, () => zones.waiting);
  gauge("fairlead_edge_memory_limit_octets", "Memory limit for zones, 0 without a limit", () => zones.memory.limit);
  const held = (kind: Quarantined["kind"]) => () => zones.quarantine.list().filter((one) => one.kind === kind).length;
  const reverted = "Names whose data make the engine fail: answered as before their last change";
  gauge("fairlead_edge_names_reverted", reverted, held("name"));
  gauge("fairlead_edge_zones_shut", "Zones whose data make the engine fail: not answered", held("zone"));
  gauge("fairlead_edge_revision", "Last applied revision of the zones", () => configuration.revision);
  gauge(
    "fairlead_edge_behind_seconds",
    "Time since the zones were known to be current",
    () => configuration.behind / 1000,
  );
  const refused = "Zones and records left out because they cannot be served";
  counter("fairlead_edge_refused_total", refused, () => zones.refused);
}

function registerWatch({ counter, gauge }: Metrics, watch: Watch): void {
  const compared = "Comparisons of a zone with the store";
  counter("fairlead_edge_compared_zones_total", compared, () => watch.status().compared);
  const differences = "Zones that were not answered as the store has them";
  counter("fairlead_edge_differences_total", differences, () => watch.status().differences);
  const differing = "Zones that are not answered as the store has them, until everything has been read again";
  gauge("fairlead_edge_differing_zones", differing, () => watch.differing);
}

function registerFeeds({ counter, gauge }: Metrics, { live, following }: LiveFollowing): void {
  gauge("fairlead_edge_live_revision", "Last applied revision of the feeds' values", () => following.revision);
  const behind = "Time since the feeds' values were known to be current";
  gauge("fairlead_edge_live_behind_seconds", behind, () => following.behind / 1000);
  gauge("fairlead_edge_live_values", "Values of feeds in memory", () => live.stats().values);
  gauge("fairlead_edge_live_octets", "Memory for values of feeds", () => live.stats().octets);
  const refused = "Values of feeds left out because they cannot be served";
  counter("fairlead_edge_live_refused_total", refused, () => live.refused);
  const unserved = "Values of feeds that are left out now";
  gauge("fairlead_edge_live_unserved", unserved, () => live.stats().unserved);
}

function registerSnapshots({ counter, gauge }: Metrics, status: () => SnapshotStatus): void {
  gauge("fairlead_edge_snapshot_revision", "Revision of the newest snapshot on disk", () => status().revision);
  const age = "Time since the newest snapshot was known to be current";
  gauge("fairlead_edge_snapshot_age_seconds", age, () => (status().age ?? Number.POSITIVE_INFINITY) / 1000);
  counter("fairlead_edge_snapshot_failures_total", "Snapshots that could not be written", () => status().failures);
  const faults = "Snapshots of zones that could not be read at the start";
  counter("fairlead_edge_snapshot_faults_total", faults, () => status().faults);
}
