/** Measures a sender that holds a slot, and aborts its transfer when another account takes over the slot. */
import type { Holder } from "./slots.ts";

/** The speed below which a sender is slow when others need its slot. */
export interface Floor {
  /** Octets in a second. */
  readonly octets: number;
  /** Milliseconds that a sender may fall behind. */
  readonly over: number;
}

/** A quarter of a Mbit/s, and a minute behind it. */
export const usualFloor: Floor = { octets: 32 * 1024, over: 60_000 };

/** Only the time in which this side waits for the sender is measured. */
export class Sender implements Holder {
  readonly #floor: Floor;
  readonly #ending = new AbortController();
  readonly #refusal: () => Error;
  readonly #now: () => number;
  /** Milliseconds that this side may still wait; earlier speed raises this at most to the initial value. */
  #left: number;
  /** The start of the current wait; undefined when this side is not waiting. */
  #since: number | undefined;

  /** `refusal`: the reason of the signal when the sender has to make way. */
  constructor(floor: Floor, refusal: () => Error, now: () => number = () => performance.now()) {
    this.#floor = floor;
    this.#refusal = refusal;
    this.#now = now;
    this.#left = floor.over;
  }

  /** Whether this side is waiting for the sender, and the sender has fallen behind. */
  get isSlow(): boolean {
    return this.#since !== undefined && this.#left <= this.#now() - this.#since;
  }

  /** Aborted when another account takes over the slot. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  giveWay(): void {
    this.#ending.abort(this.#refusal());
  }

  /** Passes the pieces on and measures them. Throws the signal's reason at once, even while waiting for a piece. */
  async *pieces<T extends Uint8Array>(pieces: AsyncIterable<T>): AsyncGenerator<T> {
    const iterator = pieces[Symbol.asyncIterator]();
    const ended = Promise.withResolvers<never>();
    const end = () => ended.reject(this.signal.reason);
    this.signal.addEventListener("abort", end, { once: true });
    if (this.signal.aborted) end();
    ended.promise.catch(() => {});
    try {
      for (;;) {
        this.#since = this.#now();
        const next = await Promise.race([iterator.next(), ended.promise]);
        if (next.done) return;
        this.#come(next.value.length);
        yield next.value;
      }
    } finally {
      this.#come(0);
      this.signal.removeEventListener("abort", end);
      const closed = Promise.resolve(iterator.return?.()).catch(() => {});
      // after an abort, the wait for a piece ends with its connection
      if (!this.signal.aborted) await closed;
    }
  }

  /** Passes the answer on and measures it. */
  async answer(answer: Promise<Uint8Array>): Promise<Uint8Array> {
    this.#since = this.#now();
    let octets = 0;
    try {
      const all = await answer;
      octets = all.length;
      return all;
    } finally {
      this.#come(octets);
    }
  }

  #come(octets: number): void {
    if (this.#since === undefined) return;
    const { octets: floor, over } = this.#floor;
    const left = this.#left - (this.#now() - this.#since) + (octets * 1000) / floor;
    this.#left = Math.max(-over, Math.min(over, left));
    this.#since = undefined;
  }
}
