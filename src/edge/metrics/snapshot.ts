/** Prometheus metrics of an edge's snapshot. */
import { Counter, Gauge, type Registry } from "prom-client";
import type { SnapshotStatus } from "../snapshot/edge-snapshots.ts";

/** Registers nothing for an edge without snapshots. */
export function registerSnapshotMetrics(registers: Registry[], status: () => SnapshotStatus | undefined): void {
  if (!status()) return;
  new Gauge({
    name: "fairlead_edge_snapshot_revision",
    help: "Revision of the newest snapshot on disk",
    registers,
    collect() {
      this.set(status()?.revision ?? 0);
    },
  });
  new Gauge({
    name: "fairlead_edge_snapshot_age_seconds",
    help: "Time since the newest snapshot was known to be current",
    registers,
    collect() {
      this.set((status()?.age ?? Number.POSITIVE_INFINITY) / 1000);
    },
  });
  new Counter({
    name: "fairlead_edge_snapshot_failures_total",
    help: "Snapshots that could not be written",
    registers,
    collect() {
      this.reset();
      this.inc(status()?.failures ?? 0);
    },
  });
  new Counter({
    name: "fairlead_edge_snapshot_faults_total",
    help: "Snapshots of zones that could not be read at the start",
    registers,
    collect() {
      this.reset();
      this.inc(status()?.faults ?? 0);
    },
  });
}
