/** Prometheus metrics of queues that are read through AF_XDP. */
import { statisticsOf, type XdpStatistics } from "../../net/xdp/queue.ts";
import { counted } from "../workers/counters.ts";
import type { QueueWorker } from "../workers/queues.ts";
import type { Metrics } from "./collected.ts";

const labels = ["interface", "queue"] as const;
const labelsOf = ({ queue }: QueueWorker) => ({ interface: queue.interface, queue: queue.queue });
const reasons = ["unfilled", "full", "dropped", "invalid"] as const satisfies readonly (keyof XdpStatistics)[];

export function registerXdp({ counter, gauge }: Metrics, queues: readonly QueueWorker[]): void {
  const up = "Whether a queue is read through AF_XDP; otherwise the sockets answer its queries";
  const states = () =>
    queues.map((one) => {
      const copies = statisticsOf(one.queue, one.held)?.copies !== false;
      return [{ ...labelsOf(one), mode: one.queue.mode, copies: String(copies) }, Number(one.slot.isUp)] as const;
    });
  gauge("fairlead_xdp_queue_up", up, states, ...labels, "mode", "copies");
  const count = (index: number) => () => queues.map((one) => [labelsOf(one), one.slot.counts[index]!] as const);
  counter("fairlead_xdp_datagrams_total", "Datagrams received through AF_XDP", count(counted.udp.datagrams), ...labels);
  const unsent = "Answers that could not be sent through AF_XDP";
  counter("fairlead_xdp_unsent_total", unsent, count(counted.udp.unsent), ...labels);
  const lost = "Frames that the system lost between interface and AF_XDP, by reason, since the queue was opened";
  const losses = () =>
    queues.flatMap((one) => {
      const statistics = statisticsOf(one.queue, one.held);
      return reasons.map((reason) => [{ ...labelsOf(one), reason }, statistics?.[reason] ?? 0] as const);
    });
  counter("fairlead_xdp_lost_total", lost, losses, ...labels, "reason");
}
