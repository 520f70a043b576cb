/** Prometheus metrics of the way from a committed change to the edges. */
import { Gauge, type Registry } from "prom-client";
import type { StreamProgress } from "../../storage/sequencer/progress.ts";

/** `progress` asks the store; while it fails, the last numbers stay. */
export function changeMetrics(registry: Registry, progress: () => Promise<StreamProgress>): void {
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name: `fairlead_${name}`, help, registers });
  const waited = gauge("changes_unnumbered_age_seconds", "Time for which the oldest change has waited for its number");
  const edges = gauge("edges", "Edges that follow the store");
  const behind = gauge("edges_behind", "Edges that lack a change that was written more than five seconds ago");
  new Gauge({
    name: "fairlead_changes_unnumbered",
    help: "Committed changes that have no number yet, and that no edge answers",
    registers,
    async collect() {
      const now = await progress().catch(() => undefined);
      if (!now) return;
      this.set(now.unnumbered);
      waited.set(now.waited);
      edges.set(now.edges);
      behind.set(now.edges_behind);
    },
  });
}
