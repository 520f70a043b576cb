/** Work that comes last: for queries whose zone takes more than its share of a worker's time. */
import { FairQueue } from "../../lib/fair/queue.ts";
import { TimeShare } from "../../lib/fair/time-share.ts";

/** The share of the time for late work while others wait, and the most milliseconds that are saved up. */
const lateShare = 0.1;
const mostCredit = 1;

/** Turns of late work, one query each: if nobody else waits, otherwise for a share of the time. */
export class LateTurns {
  readonly #now: () => number;
  readonly #share = new TimeShare(lateShare, mostCredit);
  #at = 0;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  isNext(othersWait: boolean): boolean {
    this.#at = this.#now();
    this.#share.refill(this.#at);
    return !othersWait || !this.#share.isUsedUp;
  }

  ended(): void {
    this.#share.spend(this.#now() - this.#at);
  }
}

/** Late work of a worker with an event loop: one turn in each round, after the events of that round. */
export class LateWork {
  readonly #waiting = new FairQueue<() => void>();
  readonly #turns: LateTurns;
  /** Whether other work was done since the last turn. */
  #isBusy = false;
  #isScheduled = false;

  constructor(now = () => performance.now()) {
    this.#turns = new LateTurns(now);
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** To be called for other work than that of late turns. */
  otherDone(): void {
    this.#isBusy = true;
  }

  /** Calls `go` in a late turn. Networks take turns, and so do the connections of each. */
  add(network: string, connection: string, go: () => void): void {
    this.#waiting.add(network, connection, go);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    this.#isScheduled = false;
    if (this.#turns.isNext(this.#isBusy)) {
      this.#waiting.take()?.();
      this.#turns.ended();
    }
    this.#isBusy = false;
    this.#schedule();
  }
}
