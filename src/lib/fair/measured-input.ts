/**
 * Input from a peer that holds a slot, or output to it: its speed is measured, and it ends when another account takes the
 * slot.
 */
import type { Holder } from "./slots.ts";

/** The speed below which a peer is slow and can lose its slot. */
export interface Floor {
  /** Octets in a second. */
  readonly octets: number;
  /** Milliseconds that a peer may fall behind. */
  readonly over: number;
}

/** A quarter of a megabit per second; a peer may fall behind by a minute. */
export const usualFloor: Floor = { octets: 32 * 1024, over: 60_000 };

const timeNow = () => performance.now();

/** The speed of a peer, measured only while this side waits for it. */
export class PeerSpeed {
  readonly #floor: Floor;
  readonly #now: () => number;
  /** Milliseconds that this side may still wait; earlier speed raises this at most to the initial value. */
  #left: number;
  /** The start of the current wait; undefined when this side is not waiting. */
  #since: number | undefined;

  constructor(floor: Floor, now = timeNow) {
    this.#floor = floor;
    this.#now = now;
    this.#left = floor.over;
  }

  /** Whether this side is waiting for the peer, and the peer has fallen behind. */
  get isSlow(): boolean {
    return this.#since !== undefined && this.#left <= this.#now() - this.#since;
  }

  /** This side begins to wait. */
  begin(): void {
    this.#since = this.#now();
  }

  /** The wait is over, and so many octets have come or gone. */
  end(octets: number): void {
    if (this.#since === undefined) return;
    const { octets: floor, over } = this.#floor;
    const left = this.#left - (this.#now() - this.#since) + (octets * 1000) / floor;
    this.#left = Math.max(-over, Math.min(over, left));
    this.#since = undefined;
  }
}

export class MeasuredInput implements Holder {
  readonly #speed: PeerSpeed;
  readonly #ending = new AbortController();
  readonly #refusal: () => Error;

  /** `refusal` makes the reason of the signal when the slot is lost. */
  constructor(floor: Floor, refusal: () => Error, now = timeNow) {
    this.#speed = new PeerSpeed(floor, now);
    this.#refusal = refusal;
  }

  get isSlow(): boolean {
    return this.#speed.isSlow;
  }

  /** Aborted when another account takes over the slot. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  loseSlot(): void {
    this.#ending.abort(this.#refusal());
  }

  /** Yields the pieces and measures them. Throws the signal's reason at once, even while waiting for a piece. */
  async *pieces<T extends Uint8Array>(pieces: AsyncIterable<T>): AsyncGenerator<T> {
    const iterator = pieces[Symbol.asyncIterator]();
    const ended = Promise.withResolvers<never>();
    const end = () => ended.reject(this.signal.reason);
    this.signal.addEventListener("abort", end, { once: true });
    if (this.signal.aborted) end();
    ended.promise.catch(() => {});
    try {
      for (;;) {
        this.#speed.begin();
        const next = await Promise.race([iterator.next(), ended.promise]);
        if (next.done) return;
        this.#speed.end(next.value.length);
        yield next.value;
      }
    } finally {
      this.#speed.end(0);
      this.signal.removeEventListener("abort", end);
      const closed = Promise.resolve(iterator.return?.()).catch(() => {});
      // after an abort, the wait for a piece ends with its connection
      if (!this.signal.aborted) await closed;
    }
  }

  /** Waits until the peer has taken so many octets, and measures it. */
  async wait(taken: Promise<void>, octets: number): Promise<void> {
    this.#speed.begin();
    await taken;
    this.#speed.end(octets);
  }

  /** Returns the answer and measures it. */
  async answer<T extends Uint8Array>(answer: Promise<T>): Promise<T> {
    this.#speed.begin();
    let octets = 0;
    try {
      const all = await answer;
      octets = all.length;
      return all;
    } finally {
      this.#speed.end(octets);
    }
  }
}
