/** The sequencer: after commit, one process numbers the changes and assigns serials to their zones. */
import { setTimeout as delay } from "node:timers/promises";
import { type Clock, seconds } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { isRefusal } from "../connection/failure.ts";
import type { Listener } from "../connection/listen.ts";
import type { Store } from "../db.ts";
import type { Lease } from "../lease.ts";
import { type LeasedLoop, leasedLoop } from "../leased-loop.ts";
import { announceChange, wakeChannel } from "../outbox/changes.ts";
import { trimLive } from "../outbox/live.ts";
import { Numbering } from "./numbering.ts";
import { trimChanges } from "./trim.ts";

const leaseFor = 3000;
const renewAfter = 1000;
/** Milliseconds between two polls, for changes of other processes whose notification was lost or is not possible. */
const shortestPause = 5;
const longestPause = 50;
const longestPauseListening = 1000;
/** For a store whose writers all report to this process, except a command that was killed right after its commit. */
const longestPauseAlone = 30_000;
const pauseWithoutLease = 250;
const pauseAfterFailure = 200;
const startsWithin = 500;
const trimEvery = 30_000;
const listenAgainAfter = 1000;
const nothing = { numbered: 0, more: false };

export class Sequencer {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #loop: LeasedLoop;
  #numbering: Numbering | undefined;
  #listener: Listener | undefined;
  #listenAt = 0;
  /** A change was reported to this process, or is to be reported to another, since the last turn. */
  #hasNews = false;
  #isNotifying = false;
  #isClosing = false;
  #trimAt = performance.now() + trimEvery;
  #pause = shortestPause;
  readonly #caughtUp = Promise.withResolvers<void>();

  constructor(store: Store, { log, clock }: { readonly log: Log; readonly clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#loop = leasedLoop({
      db: store.db,
      holder: store.holder,
      name: "sequencer",
      leaseFor,
      renewAfter,
      // no other process would take a lease that lapses
      isAlone: store.isEmbedded,
      turn: (lease) => this.#turn(lease),
      every: pauseAfterFailure,
      tryEvery: pauseWithoutLease,
      complain: (error) => log.error({ reason: String(error) }, "changes are not being numbered; trying again"),
      onLease(lease) {
        if (lease) log.debug({ token: lease.token }, "this process numbers the changes");
        else log.warn("another process numbers the changes now");
      },
    });
  }

  /** Reports a committed change, so that it is numbered now and not at the next poll. */
  wake(): void {
    if (this.#loop.isHolder()) this.#onNews();
    else void this.#notifyHolder();
  }

  /**
   * Resolves when the changes that waited at the start have their numbers; after half a second at the latest, since another
   * process may number them.
   */
  async caughtUp(): Promise<void> {
    const over = new AbortController();
    await Promise.race([
      this.#caughtUp.promise,
      delay(startsWithin, undefined, { signal: over.signal }).catch(() => {}),
    ]);
    over.abort();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#loop.close();
    this.#listener?.close();
  }

  #onNews() {
    this.#hasNews = true;
    this.#loop.wake();
  }

  /** Notifies the process that numbers changes. Writes during the notification cause another notification. */
  async #notifyHolder(): Promise<void> {
    this.#hasNews = true;
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    while (this.#hasNews && !this.#isClosing) {
      this.#hasNews = false;
      await announceChange(this.#store.db);
    }
    this.#isNotifying = false;
  }

  /** Returns the milliseconds until the next turn. */
  async #turn(lease: Lease): Promise<number> {
    const numbering = await this.#prepare();
    const isPoll = !this.#hasNews;
    this.#hasNews = false;
    const isIdle = isPoll && !(await numbering.isWaiting());
    const { numbered, more } = isIdle ? nothing : await numbering.run(lease);
    if (performance.now() > this.#trimAt) {
      this.#trimAt = performance.now() + trimEvery;
      await trimChanges(this.#store.db, seconds(this.#clock));
      await trimLive(this.#store.db);
    }
    if (numbered > 0) this.#pause = shortestPause;
    if (more) return 0;
    this.#caughtUp.resolve();
    const pause = this.#pause;
    this.#pause = Math.min(this.#longestPause(), pause * 2);
    return pause;
  }

  #longestPause(): number {
    if (!this.#isListening()) return longestPause;
    return this.#store.isEmbedded ? longestPauseAlone : longestPauseListening;
  }

  /** Starts listening. An engine without LISTEN has no NOTIFY either: then followers and sequencers poll more often. */
  async #prepare(): Promise<Numbering> {
    const known = this.#numbering;
    if (known && (this.#isListening() || !known.notifies || performance.now() < this.#listenAt)) return known;
    this.#listenAt = performance.now() + listenAgainAfter;
    let notifies = true;
    try {
      this.#listener = await this.#store.listen([wakeChannel], () => this.#onNews());
    } catch (error) {
      notifies = !isRefusal(error);
      if (notifies && !known) throw error;
    }
    this.#numbering ??= new Numbering(this.#store, { clock: this.#clock, log: this.#log }, notifies);
    return this.#numbering;
  }

  #isListening(): boolean {
    return this.#listener?.lost === false;
  }
}
