/** Prometheus metrics of an edge's image memory. */
import { Counter, Gauge, type Registry } from "prom-client";
import type { ImageStats } from "../../answer/image/writer/writer.ts";

export function registerImageMetrics(registers: Registry[], stats: () => ImageStats): void {
  const gauge = (name: string, help: string, value: (stats: ImageStats) => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value(stats()));
      },
    });
  gauge("fairlead_edge_zones", "Zones in the image", ({ zones }) => zones);
  gauge("fairlead_edge_rrsets", "RRsets in the image", ({ records }) => records);
  gauge("fairlead_edge_image_octets", "Memory of the image", ({ octets }) => octets);
  gauge("fairlead_edge_image_free_octets", "Of it, what was freed and waits to be used again", ({ free }) => free);
  gauge(
    "fairlead_edge_image_waiting_blocks",
    "Blocks of memory that wait until no worker reads what they replaced",
    ({ waiting }) => waiting,
  );
  new Counter({
    name: "fairlead_edge_image_emptied_segments_total",
    help: "Segments of memory that were emptied and given back to the system",
    registers,
    collect() {
      this.reset();
      this.inc(stats().emptied);
    },
  });
}
