/** All worker threads of an edge: the sockets or queue of each, and updates for all of them. */
import { readerSlots } from "../../answer/image/memory/layout.ts";
import type { Log } from "../../lib/log.ts";
import { invalid } from "../../lib/problem.ts";
import type { UsageReader } from "../usage/reader.ts";
import { counted } from "./counters.ts";
import type { BoundSocket, Streams } from "./listening.ts";
import type { WorkerUpdate } from "./messages.ts";
import type { QueueWorker } from "./queues.ts";
import { type SlotOptions, type WorkerOptions, WorkerSlot } from "./worker-slot.ts";

export interface WorkersOptions extends WorkerOptions {
  readonly sockets: readonly BoundSocket[];
  readonly streams: Streams;
  /** Makes workers for queues of interfaces, at most a number, from a first slot on. */
  readonly queues?: (first: number, most: number, options: CommonOptions) => readonly QueueWorker[];
}

/** The options that all slots share. */
export type CommonOptions = WorkerOptions & Pick<SlotOptions, "begun">;

/** Slots of the samples by record: of all workers together, and the minimum of each worker. */
const sampled = 8192;
const leastSampled = 512;
/** Milliseconds between two checks for spinning workers while there are queries. */
const checkEvery = 100;

export class Workers {
  readonly slots: readonly WorkerSlot[];
  readonly queues: readonly QueueWorker[];
  readonly #ofSockets: readonly WorkerSlot[];
  readonly #log: Log;
  #nextCheck: NodeJS.Timeout | undefined;
  #isStopped = false;
  /** Word 0 becomes 1 when a worker begins to answer. */
  readonly #begun = new Int32Array(new SharedArrayBuffer(4));
  /** The end of the process waits for the workers, so they must be told to end. */
  readonly #onExit = () => {
    for (const slot of this.slots) slot.signalStop();
  };

  constructor({ sockets, streams, queues, ...given }: WorkersOptions) {
    this.#log = given.log;
    const udp = sockets.flatMap(({ listener, udp }) => udp.map((socket) => ({ listener, socket })));
    if (udp.length >= readerSlots) {
      throw invalid(
        `${udp.length} UDP workers are too many: ${readerSlots - 1} are possible for all addresses together`,
      );
    }
    const all = { ...given, begun: this.#begun };
    const { secure, ...own } = streams;
    const plain = sockets.map(({ tcp }) => ({ transport: "tcp" as const, socket: tcp }));
    const stream = { ...own, sockets: [...plain, ...secure.map(({ transport, socket }) => ({ transport, socket }))] };
    this.#ofSockets = [
      ...udp.map((source, slot) => new WorkerSlot({ kind: "udp", slot, sockets: 1, own: { source }, ...all })),
      new WorkerSlot({ kind: "stream", slot: udp.length, sockets: stream.sockets.length, own: stream, ...all }),
    ];
    const first = this.#ofSockets.length;
    // the sockets answer queries of further queues
    this.queues = queues?.(first, readerSlots - first, all) ?? [];
    this.slots = [...this.#ofSockets, ...this.queues.map(({ slot }) => slot)];
  }

  /**
   * Resolves when every worker with sockets listens. Those of queues begin later: a queue may still be in use by the edge
   * before this one. Until then, and if they fail, the sockets answer its queries.
   */
  async start(): Promise<void> {
    await Promise.all(this.#ofSockets.map((slot) => slot.start()));
    process.on("exit", this.#onExit);
    for (const { queue, slot } of this.queues) {
      const about = { interface: queue.interface, queue: queue.queue };
      slot.start().then(
        () => this.#log.debug(about, "a queue is read through AF_XDP"),
        () => this.#isStopped || this.#log.warn(about, "the sockets answer the queries of a queue"),
      );
    }
    void this.#endSpinning(0);
  }

  /** Ends spinning workers: they are busy, but count no queries. `before`: queries counted at the last check. */
  async #endSpinning(before: number): Promise<void> {
    for (const slot of this.slots) void slot.endIfSpinning();
    // before the counters are read: a worker that begins after that sets the word again
    Atomics.store(this.#begun, 0, 0);
    const queries = this.queries();
    const isQuiet = queries === before && !this.slots.some((slot) => slot.isBusy());
    if (isQuiet) await Atomics.waitAsync(this.#begun, 0, 0).value;
    if (!this.#isStopped) this.#nextCheck = setTimeout(() => this.#endSpinning(queries), checkEvery);
  }

  /** Queries that were received since the start. */
  queries(): number {
    return this.slots.reduce((sum, { counts }) => sum + counts[counted.queries]!, 0);
  }

  send(update: WorkerUpdate): void {
    for (const slot of this.slots) slot.send(update);
  }

  /** UDP workers answer the queries that they have read and end; streams end after their connections have had time. */
  async retire(): Promise<void> {
    await Promise.all(this.slots.map((slot) => slot.retire()));
  }

  /** Makes memory for counting the queries of the next image; the workers get it with that image. */
  renewUsage(): UsageReader[] {
    const each = 2 ** Math.floor(Math.log2(sampled / this.slots.length));
    return this.slots.map((slot) => slot.renewUsage(Math.max(leastSampled, each)));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#nextCheck);
    Atomics.notify(this.#begun, 0);
    process.off("exit", this.#onExit);
    await Promise.all(this.slots.map((slot) => slot.stop()));
  }
}
