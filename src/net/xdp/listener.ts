/** DNS over UDP through an AF_XDP socket: frames are read and written in memory that is shared with the kernel. */
import { Problem } from "../../lib/problem.ts";
import { libc, linux } from "../../lib/system/libc.ts";
import { LateTurns } from "../socket/late-work.ts";
import type { QueryService } from "../socket/service.ts";
import { batchSize } from "../udp/mmsghdr.ts";
import { SuspensionCheck } from "../udp/suspension.ts";
import { IdleWait } from "../udp/waker.ts";
import { removeSocket, setSocket } from "./bpf.ts";
import { Frames } from "./frames.ts";
import { type HeldQueue, type OpenQueue, openQueue, releaseQueue, type XdpQueue } from "./queue.ts";

export interface XdpOptions {
  readonly queue: XdpQueue;
  readonly held: HeldQueue;
  readonly service: QueryService;
  /** As for other listeners of UDP (`UdpOptions`). */
  readonly stop: Int32Array<SharedArrayBuffer>;
  readonly waker: number | undefined;
  readonly counts: Float64Array;
  /** Called when queries come through the socket. */
  readonly onListening?: () => void;
}

/** Milliseconds for frames that are still under way when the queue is left to the kernel, and for the last answers. */
const drainFor = 20;
/** Answers that a call of poll(2) sends. */
const sentByPoll = 32;
const mostKicks = 8;

/**
 * Answers the queries of a queue until it is stopped; nothing else runs in the thread. Waits until the queue is free.
 * Throws a Problem when the queue cannot be used; what it holds is then left to `leaveQueue`.
 */
export function listenXdp({ queue, held, service, stop, waker, counts, onListening }: XdpOptions): void {
  if (waker === undefined) throw new Problem("internal", "there is no eventfd(2)");
  const open = openQueue(queue, held, stop);
  if (open) {
    const turns = new Turns(open, new Frames(open, queue.mtu, counts), service);
    // only now: a frame that finds no chunk is lost
    setSocket(queue.map, queue.queue, open.fd);
    onListening?.();
    const idle = new IdleWait(open.fd, waker);
    let isWoken = true;
    while (Atomics.load(stop, 0) === 0) {
      const hasMore = turns.take(isWoken);
      isWoken = false;
      if (hasMore) continue;
      isWoken = idle.wait();
      turns.sendRest();
    }
    removeSocket(queue.map, queue.queue);
    turns.drain();
  }
  releaseQueue(queue, held);
}

class Turns {
  readonly #queue: OpenQueue;
  readonly #frames: Frames;
  readonly #service: QueryService;
  readonly #suspension = new SuspensionCheck();
  readonly #late = new LateTurns();

  constructor(queue: OpenQueue, frames: Frames, service: QueryService) {
    this.#queue = queue;
    this.#frames = frames;
    this.#service = service;
  }

  /** Answers what has arrived, at most a batch, and applies updates if `isWoken`. Returns whether there is more to do. */
  take(isWoken: boolean): boolean {
    const { rx, fill, tx } = this.#queue;
    const count = Math.min(batchSize, rx.count);
    if (this.#suspension.isLate(count)) this.#frames.skip(count);
    else if (count > 0 || isWoken) {
      this.#service.begin();
      if (count > 0) this.#frames.answer(count, this.#service);
      this.#service.end();
    }
    if (this.#frames.hasLate) this.#takeLate(count > 0 && this.#frames.answered > 0);
    const hasMore = rx.count > 0 || this.#frames.hasLate;
    // otherwise the wait for more sends them
    if (hasMore || tx.waiting > sentByPoll) this.#send();
    if (hasMore && fill.needsWakeUp) libc().sendto(this.#queue.fd, 0, 0, linux.MSG_DONTWAIT, 0, 0);
    return hasMore;
  }

  /** Sends what a wait has left. */
  sendRest(): void {
    if (this.#queue.tx.waiting > 0) this.#send();
  }

  /** Answers what was under way when the queue was left to the kernel, and waits for the last answers. */
  drain(): void {
    const pause = new Int32Array(new SharedArrayBuffer(4));
    const end = performance.now() + drainFor;
    do {
      if (!this.take(false)) Atomics.wait(pause, 0, 0, 1);
      this.sendRest();
    } while (performance.now() < end);
  }

  #takeLate(othersWait: boolean): void {
    if (!this.#late.isNext(othersWait)) return;
    this.#service.begin();
    this.#frames.answerLate(this.#service);
    this.#service.end();
    this.#late.ended();
  }

  /** Makes the kernel send the published answers. It may take several calls. */
  #send(): void {
    const { tx, fd } = this.#queue;
    for (let kicks = 0; kicks < mostKicks && tx.waiting > 0 && tx.needsWakeUp; kicks++) {
      if (libc().sendto(fd, 0, 0, linux.MSG_DONTWAIT, 0, 0) >= 0) continue;
      const errno = libc().nameOf(libc().errno());
      if (errno === "EBADF" || errno === "ENOTSOCK") throw new Problem("internal", `sendto: ${errno}`);
      // an interface that is down keeps the answers; everything else is worth another call
      if (errno === "ENETDOWN" || errno === "ENXIO") return;
    }
  }
}
