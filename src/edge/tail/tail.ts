/** The queries for zones that somebody watches: collected from the workers, and sent to the store each second. */
import type { Log } from "../../lib/log.ts";
import { type Loop, loop } from "../../lib/loop.ts";
import type { TailCarrier, TailQuery } from "../../sync/usage.ts";

export interface TailOptions {
  readonly carrier: TailCarrier;
  /** Called with all watched zones when they have changed. */
  readonly onWatched: (zones: readonly string[]) => void;
  readonly reasonOf: (error: unknown) => string;
  readonly log: Log;
}

/** Milliseconds between two exchanges while a zone is watched, and while none is. */
const exchangeEvery = 1000;
const idle = 60 * 60_000;
/** Queries that wait for the next exchange; further ones are left out. */
const mostWaiting = 2000;

export class EdgeTail {
  readonly #options: TailOptions;
  readonly #loop: Loop;
  #waiting: TailQuery[] = [];
  #watched: readonly string[] = [];

  constructor(options: TailOptions) {
    this.#options = options;
    this.#loop = loop({
      turn: () => this.#turn(),
      every: exchangeEvery,
      first: idle,
      complain: (error) => options.log.warn({ reason: options.reasonOf(error) }, "watched queries cannot be sent"),
    });
  }

  /** Asks the store which zones are watched. */
  wake(): void {
    this.#loop.wake();
  }

  take(query: TailQuery): void {
    if (this.#waiting.length < mostWaiting) this.#waiting.push(query);
  }

  close(): Promise<void> {
    return this.#loop.close();
  }

  async #turn(): Promise<number> {
    const sent = this.#waiting;
    this.#waiting = [];
    const watched = await this.#options.carrier.exchange(sent);
    if (watched.join() !== this.#watched.join()) {
      this.#watched = watched;
      this.#options.onWatched(watched);
    }
    return watched.length > 0 ? exchangeEvery : idle;
  }
}
