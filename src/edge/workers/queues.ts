/** The workers of queues that are read through AF_XDP. */
import { type HeldQueue, holdNothing, leaveQueue, type XdpQueue } from "../../net/xdp/queue.ts";
import { WorkerSlot } from "./worker-slot.ts";
import type { CommonOptions } from "./workers.ts";

export interface QueueWorker {
  readonly queue: XdpQueue;
  readonly held: HeldQueue;
  readonly slot: WorkerSlot;
}

/** Makes a worker for each queue, in the slots from `first` on. */
export const queueWorkers = (queues: readonly XdpQueue[], first: number, options: CommonOptions): QueueWorker[] =>
  queues.map((queue, n) => {
    const held = holdNothing();
    const own = { source: { listener: "xdp", queue, held } } as const;
    const onEnd = () => leaveQueue(queue, held);
    const slot = new WorkerSlot({ kind: "udp", slot: first + n, sockets: 1, own, onEnd, ...options });
    return { queue, held, slot };
  });
