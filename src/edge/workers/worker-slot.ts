/** One worker thread of an edge: started, replaced when it dies or spins, and stopped in order. */
import { setTimeout as delay } from "node:timers/promises";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { ImageShare } from "../../answer/image/memory/share.ts";
import type { LiveShare } from "../../answer/live/share.ts";
import { trailWords } from "../../answer/lookup/lookup.ts";
import type { GeoData } from "../../geo/facts/data.ts";
import type { Log } from "../../lib/log.ts";
import { closeFd } from "../../net/socket/sockets.ts";
import { openWaker, wake } from "../../net/udp/waker.ts";
import type { Incoming, Peers } from "../../sync/peers.ts";
import type { TailQuery } from "../../sync/usage.ts";
import type { DataFault } from "../follow/quarantine.ts";
import type { Tapped } from "../querylog/dnstap-message.ts";
import type { QueryLog } from "../querylog/query-log.ts";
import { makeTap, type TapShare } from "../querylog/tap.ts";
import { UsageReader } from "../usage/reader.ts";
import { makeUsage, type UsageShare } from "../usage/table.ts";
import { counted, makeCounts } from "./counters.ts";
import type { ReplySettings, SessionData, WorkerReport, WorkerUpdate } from "./messages.ts";
import { retireWithin, stopping } from "./stopping.ts";
import type { StreamWorkerData } from "./stream-worker.ts";
import type { UdpWorkerData } from "./udp-worker.ts";

/** The options that only one kind of worker has. */
type KindOptions =
  | Omit<UdpWorkerData, keyof SessionData | "stop" | "waker">
  | Omit<StreamWorkerData, keyof SessionData | "stop">;

/** Options of every worker. */
export interface WorkerOptions {
  /** The image that a worker starts with. */
  readonly share: () => ImageShare;
  readonly live: LiveShare;
  /** The current facts about clients. */
  readonly geo: () => GeoData | undefined;
  readonly replies: () => ReplySettings;
  readonly peers: () => Peers;
  /** Called when a primary notifies that a zone has changed. */
  readonly onNotify: (zone: Incoming) => void;
  readonly queryLog: QueryLog | undefined;
  /** The zones whose queries somebody watches, and where copies of these go. */
  readonly watched: () => readonly string[];
  readonly onSeen: (query: TailQuery) => void;
  /** Called when data in the image made a worker fail. */
  readonly onDataFault: (fault: DataFault) => void;
  readonly log: Log;
}

export interface SlotOptions extends WorkerOptions {
  readonly kind: "udp" | "stream";
  /** Index of the image reader's slot. */
  readonly slot: number;
  /** Number of sockets that the worker listens on. */
  readonly sockets: number;
  readonly own: KindOptions;
  /** Set and notified by a worker that begins to answer. */
  readonly begun: Int32Array<SharedArrayBuffer>;
  /** Called when the worker's thread has ended. */
  readonly onEnd?: () => void;
}

const firstPause = 50;
const longestPause = 5000;
/** Milliseconds; a worker that ran for longer is replaced after the shortest pause. */
const settled = 10_000;
/** Maximum CPU time in milliseconds of one look-up, and of other work on a query; a worker beyond it is spinning. */
const longestLookup = 100;
const longestBatch = 300;
const stopWithin = 1000;
/** A worker usually needs 10 to 50 MB; one that reaches this limit ends and is replaced. */
const resourceLimits = { maxOldGenerationSizeMb: 512 };
const nothingSuspected = { progress: 0, queries: 0, cpu: 0 };

export class WorkerSlot {
  restarts = 0;
  /** Number of spinning workers that were replaced. */
  spins = 0;
  /** Whether the worker answers queries. */
  isUp = false;
  readonly counts = makeCounts();
  readonly kind: "udp" | "stream";
  /** Sampling of queries for the log, and the number of copies in transit. */
  readonly tap: TapShare | undefined;
  readonly #options: SlotOptions;
  readonly #stop = new Int32Array(new SharedArrayBuffer(4));
  readonly #progress = new Int32Array(new SharedArrayBuffer(4));
  readonly #trail = new Int32Array(new SharedArrayBuffer(trailWords * Int32Array.BYTES_PER_ELEMENT));
  #usage: UsageShare | undefined;
  #thread: Worker | undefined;
  #control: MessagePort | undefined;
  /** Wakes a worker that waits for datagrams. */
  #waker: number | undefined;
  /** Word 0: number of messages posted to `#control`. */
  #posted = new Int32Array(new SharedArrayBuffer(4));
  #exited: Promise<unknown> = Promise.resolve();
  /** Whether a worker of this slot has listened before, so that the sockets are known to work. */
  #established = false;
  #pause = firstPause;
  /** The query in progress at the last check, and the CPU time when it was first seen. */
  #suspect = nothingSuspected;

  constructor(options: SlotOptions) {
    this.#options = options;
    this.kind = options.kind;
    this.tap = options.queryLog && makeTap(options.queryLog.sample);
  }

  /** Resolves with the ports when the worker listens on every socket; rejects when it cannot. */
  start(): Promise<number[]> {
    const { slot, own, begun, share, live, geo, replies, peers, watched, kind } = this.#options;
    const known = geo();
    const { port1, port2 } = new MessageChannel();
    this.#posted = new Int32Array(new SharedArrayBuffer(4));
    this.#waker = kind === "udp" ? openWaker() : undefined;
    const workerData = {
      ...own,
      slot,
      share: share(),
      live,
      replies: replies(),
      peers: peers(),
      watched: watched(),
      ...(known ? { geo: known } : {}),
      control: port2,
      posted: this.#posted,
      counts: this.counts,
      ...(this.#usage ? { usage: this.#usage } : {}),
      ...(this.tap ? { tap: this.tap } : {}),
      progress: this.#progress,
      trail: this.#trail,
      begun,
      stop: this.#stop,
      waker: this.#waker,
    };
    Atomics.store(this.#progress, 0, 0);
    // messages of the previous worker may never arrive
    if (this.tap) Atomics.store(this.tap.waiting, 0, 0);
    this.#trail.fill(0);
    this.#suspect = nothingSuspected;
    const thread = new Worker(entries[kind], {
      workerData,
      transferList: [port2],
      resourceLimits,
      name: `${kind} ${slot}`,
    });
    this.#thread = thread;
    this.#control = port1;
    return this.#watch(thread, port1);
  }

  send(update: WorkerUpdate): void {
    this.#control?.postMessage(update.kind === "image" && this.#usage ? { ...update, usage: this.#usage } : update);
    Atomics.add(this.#posted, 0, 1);
    this.#wake();
  }

  /** Makes memory for counting the queries of the next image; the worker gets it with that image. */
  renewUsage(slots: number): UsageReader {
    this.#usage = makeUsage(slots);
    return new UsageReader(this.#usage, this.#progress);
  }

  /** Whether the worker is answering a batch of queries now. */
  isBusy(): boolean {
    return Atomics.load(this.#progress, 0) % 2 === 1;
  }

  /** Ends a worker that has been busy with one query for too long. */
  async endIfSpinning(): Promise<void> {
    const thread = this.#thread;
    const progress = Atomics.load(this.#progress, 0);
    if (!thread || progress % 2 === 0) return;
    const queries = this.counts[counted.queries]!;
    const suspect = this.#suspect;
    const { user: cpu } = await thread.cpuUsage().catch(() => ({ user: 0 }));
    if (this.#suspect !== suspect) return;
    if (suspect.progress !== progress || suspect.queries !== queries) {
      this.#suspect = { progress, queries, cpu };
      return;
    }
    const [data = 0, name = 0] = this.#trail;
    if (cpu - suspect.cpu < (data === 0 ? longestBatch : longestLookup) * 1000) return;
    this.#suspect = { ...nothingSuspected };
    this.spins++;
    this.#options.log.error({ worker: this.#options.slot, kind: this.kind }, "a worker spins and is replaced");
    // before a new worker can read the same data
    if (data !== 0) this.#options.onDataFault({ data, name, how: "spins" });
    await thread.terminate();
  }

  /** The worker answers the queries that it has read and ends; a worker that does not end in time is terminated. */
  stop(): Promise<void> {
    return this.#end(stopping.now, stopWithin);
  }

  /** Stops the worker after another edge has taken over the sockets: connections have time to end. */
  retire(): Promise<void> {
    return this.#end(stopping.retiring, this.kind === "stream" ? retireWithin + stopWithin : stopWithin);
  }

  /** Tells the worker to end, and does not wait until it has. */
  signalStop(how: number = stopping.now): void {
    Atomics.store(this.#stop, 0, how);
    Atomics.notify(this.#stop, 0);
    this.#wake();
  }

  #wake(): void {
    if (this.#waker !== undefined) wake(this.#waker);
  }

  async #end(how: number, within: number): Promise<void> {
    this.signalStop(how);
    const late = new AbortController();
    const end = delay(within, undefined, { signal: late.signal }).then(
      () => this.#thread?.terminate(),
      () => {},
    );
    await Promise.race([this.#exited, end]);
    late.abort();
    this.#control?.close();
  }

  #watch(thread: Worker, control: MessagePort): Promise<number[]> {
    const { log, slot, kind, sockets } = this.#options;
    const about = { worker: slot, kind };
    const listening = Promise.withResolvers<number[]>();
    const ports: number[] = [];
    const startedAt = performance.now();
    thread.on("message", (report: WorkerReport) => {
      if (report.kind === "faults") log.error({ ...about, count: report.count, error: report.error }, "queries failed");
      else if (report.kind === "tapped") this.#log(report.tapped);
      else if (report.kind === "seen") this.#options.onSeen(report.query);
      else if (report.kind === "data-fault") this.#options.onDataFault(report.fault);
      else if (report.kind === "notified") this.#options.onNotify(report.zone);
      else if (report.kind === "certificate") reportCertificate(log, report.reason);
      else if (ports.push(report.port) === sockets) listening.resolve(ports);
    });
    thread.on("error", (error) => {
      log.error({ ...about, reason: String(error) }, "a worker failed");
      listening.reject(error);
    });
    this.#exited = new Promise((resolve) => thread.once("exit", resolve));
    this.#exited.then(() => {
      this.isUp = false;
      control.close();
      if (this.#waker !== undefined) closeFd(this.#waker);
      this.#waker = undefined;
      listening.reject(new Error(`worker ${slot} ended before it listened`));
      this.#options.onEnd?.();
      this.#replace(performance.now() - startedAt);
    });
    listening.promise.then(
      () => {
        this.#established = true;
        this.isUp = true;
      },
      () => {},
    );
    return listening.promise;
  }

  #log(tapped: Tapped): void {
    if (this.tap) Atomics.sub(this.tap.waiting, 0, 1);
    this.#options.queryLog?.write(tapped);
  }

  #replace(ranFor: number): void {
    if (!this.#established || Atomics.load(this.#stop, 0) !== 0) return;
    this.#pause = ranFor > settled ? firstPause : Math.min(longestPause, this.#pause * 2);
    setTimeout(() => {
      if (Atomics.load(this.#stop, 0) !== 0) return;
      this.restarts++;
      this.start().catch(() => {});
    }, this.#pause);
  }
}

function reportCertificate(log: Log, reason: string | undefined): void {
  if (reason === undefined) log.info("the certificate of DNS over TLS and HTTPS was read");
  else log.error({ reason }, "the certificate cannot be read; the previous one stays in use");
}

const entries = {
  udp: new URL("./udp-worker.ts", import.meta.url),
  stream: new URL("./stream-worker.ts", import.meta.url),
};
