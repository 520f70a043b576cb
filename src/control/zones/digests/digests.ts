/** Reads all zones of the store in turn, slowly, and stores their digests, which edges compare with their own. */
import type { Log } from "../../../lib/log.ts";
import type { Store } from "../../../storage/db.ts";
import { type LeasedLoop, leasedLoop } from "../../../storage/leased-loop.ts";
import { DigestConnection, firstPlace, type ZonePlace } from "../../../sync/postgres/digests.ts";
import { digestNext } from "./step.ts";

export interface DigestOptions {
  readonly store: Store;
  readonly url: string;
  readonly log: Log;
  /** Milliseconds from the beginning of a round to the beginning of the next. */
  readonly every?: number | undefined;
}

const defaultEvery = 5 * 60_000;
/** Reading takes at most this share of the time. */
const share = 1 / 20;
const shortestPause = 20;
/** Milliseconds of a pause in which no connection is kept. */
const longPause = 10_000;
/** Milliseconds after the start, when there is other work. */
const firstAfter = 10_000;
const pauseAfterFailure = 30_000;
/** Longer than any pause, so that the next turn is of the same process. */
const leaseFor = 10 * 60_000;
const renewAfter = 60_000;

export class ZoneDigests {
  readonly #options: DigestOptions;
  readonly #loop: LeasedLoop;
  #connection: DigestConnection | undefined;
  /** The last zone that was read; undefined before the first. */
  #place: ZonePlace | undefined;
  #roundBegan = Number.NEGATIVE_INFINITY;

  constructor(options: DigestOptions) {
    this.#options = options;
    const { store, log, every = defaultEvery } = options;
    this.#loop = leasedLoop({
      db: store.db,
      holder: store.holder,
      name: "digests",
      leaseFor,
      renewAfter,
      turn: (_, signal) => this.#turn(signal),
      every: pauseAfterFailure,
      tryEvery: Math.min(every, pauseAfterFailure),
      first: Math.min(every, firstAfter),
      complain: (error) => log.warn({ reason: String(error) }, "the zones cannot be read to compare edges with them"),
    });
  }

  async close(): Promise<void> {
    await this.#loop.close();
    this.#disconnect();
  }

  /** Returns the milliseconds until the next turn. */
  async #turn(signal: AbortSignal): Promise<number> {
    const { url, store, every = defaultEvery } = this.#options;
    const began = performance.now();
    const give = () => this.#disconnect();
    signal.addEventListener("abort", give);
    try {
      const connection = this.#connection ?? (await DigestConnection.open(url, store.isEmbedded));
      this.#connection = connection;
      const place = this.#place ?? (await connection.lastPlace());
      if (place === firstPlace) this.#roundBegan = began;
      this.#place = (await digestNext(connection, place)).last;
    } catch (error) {
      this.#disconnect();
      throw error;
    } finally {
      signal.removeEventListener("abort", give);
    }
    const now = performance.now();
    const rest = Math.max(shortestPause, (now - began) * (1 / share - 1));
    const pause = this.#place === firstPlace ? Math.max(rest, this.#roundBegan + every - now) : rest;
    if (pause > longPause) this.#disconnect();
    return pause;
  }

  #disconnect(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }
}
