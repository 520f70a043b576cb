/** The sequencer: after commit, one process numbers the changes and assigns serials to their zones. */
import { sql } from "kysely";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { isRefusal } from "../connection/failure.ts";
import type { Listener } from "../connection/listen.ts";
import type { Store } from "../db.ts";
import { type Lease, releaseLease, takeLease } from "../lease.ts";
import { trimLive } from "../outbox/live.ts";
import { Numbering } from "./numbering.ts";
import { trimChanges } from "./trim.ts";

export interface SequencerOptions {
  readonly log: Log;
  readonly clock: Clock;
  /** The id of this process, new at each start. */
  readonly holder: string;
  /** No other process of this store numbers changes, so this one notices each change and may let the lease lapse. */
  readonly isAlone?: boolean | undefined;
}

export interface Sequencer {
  /** Reports a committed change, so that it is numbered now and not at the next poll. */
  wake(): void;
  close(): Promise<void>;
}

const leaseFor = 3000;
/** Milliseconds after which the lease is renewed during work; after twice the time, before further work. */
const renewAfter = 1000;
/** Milliseconds between two polls, for changes of other processes whose notification was lost or is not possible. */
const shortestPause = 5;
const longestPause = 50;
const longestPauseListening = 1000;
const longestPauseAlone = 5000;
/** The channel on which other processes report a committed change. */
const wakeChannel = "fairlead_wake";
const pauseWithoutLease = 250;
const pauseAfterFailure = 200;
const trimEvery = 30_000;
const listenAgainAfter = 1000;
const nothing = { numbered: 0, more: false };

export function startSequencer(store: Store, options: SequencerOptions): Sequencer {
  const loop = new SequencerLoop(store, options);
  return { wake: () => loop.wake(), close: () => loop.close() };
}

class SequencerLoop {
  #store: Store;
  #options: SequencerOptions;
  #numbering: Numbering | undefined;
  #listener: Listener | undefined;
  #listenAt = 0;
  #notifying = false;
  #lease: Lease | undefined;
  #renewAt = 0;
  #renewing: Promise<void> | undefined;
  #trimAt = performance.now() + trimEvery;
  #pause = shortestPause;
  #woken = false;
  #closing = false;
  #interrupt: () => void = () => {};
  #running: Promise<void>;

  constructor(store: Store, options: SequencerOptions) {
    this.#store = store;
    this.#options = options;
    this.#running = this.#run();
  }

  wake(): void {
    if (this.#lease) this.#notice();
    else void this.#notifyHolder();
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#interrupt();
    await this.#running;
    this.#listener?.close();
    await this.#renewing?.catch(() => {});
    // otherwise the next holder has to wait for the end of the lease
    if (this.#lease) await releaseLease(this.#store.db, this.#lease).catch(() => {});
  }

  #notice() {
    this.#woken = true;
    this.#interrupt();
  }

  /** Wakes the process that numbers. Writes during a notification cause another one. */
  async #notifyHolder(): Promise<void> {
    this.#woken = true;
    if (this.#notifying) return;
    this.#notifying = true;
    while (this.#woken && !this.#closing) {
      this.#woken = false;
      // a lost notification is harmless: the other process polls
      await sql
        .raw(`begin; set local synchronous_commit = off; notify ${wakeChannel}; commit`)
        .execute(this.#store.db)
        .catch(() => {});
    }
    this.#notifying = false;
  }

  async #run(): Promise<void> {
    let failing = false;
    while (!this.#closing) {
      try {
        await this.#turn();
        failing = false;
      } catch (error) {
        if (!failing) this.#options.log.error({ reason: String(error) }, "changes cannot be numbered; trying again");
        failing = true;
        this.#lease = undefined;
        await this.#sleep(pauseAfterFailure);
      }
    }
  }

  async #turn(): Promise<void> {
    const lease = await this.#hold();
    if (!lease) return await this.#sleep(pauseWithoutLease);
    const numbering = await this.#prepare();
    const isPolling = !this.#woken;
    this.#woken = false;
    const idle = isPolling && !(await numbering.isWaiting());
    const { numbered, more } = idle ? nothing : await numbering.run(lease);
    if (numbered > 0) this.#pause = shortestPause;
    if (performance.now() > this.#trimAt) {
      this.#trimAt = performance.now() + trimEvery;
      await trimChanges(this.#store.db, Math.floor(this.#options.clock.now() / 1000));
      await trimLive(this.#store.db);
    }
    if (more || this.#woken) return;
    await this.#sleep(this.#pause);
    this.#pause = Math.min(this.#longestPause(), this.#pause * 2);
  }

  #longestPause(): number {
    if (this.#listener?.lost !== false) return longestPause;
    return this.#options.isAlone ? longestPauseAlone : longestPauseListening;
  }

  /** Returns the lease, and renews it when due; undefined while another process holds it. */
  async #hold(): Promise<Lease | undefined> {
    const overdue = performance.now() - this.#renewAt;
    if (this.#lease && overdue < 0) return this.#lease;
    this.#renewing ??= this.#renew().finally(() => (this.#renewing = undefined));
    if (!this.#lease || (overdue > renewAfter && !this.#options.isAlone)) await this.#renewing;
    else this.#renewing.catch(() => (this.#lease = undefined));
    return this.#lease;
  }

  async #renew(): Promise<void> {
    const before = this.#lease;
    const { holder, log } = this.#options;
    const renewAt = performance.now() + renewAfter;
    this.#lease = await takeLease(this.#store.db, "sequencer", holder, leaseFor);
    this.#renewAt = renewAt;
    if (this.#lease && !before) log.debug({ token: this.#lease.token }, "this process numbers the changes");
    if (!this.#lease && before) log.warn("another process numbers the changes now");
  }

  /** Starts listening. An engine without LISTEN has no NOTIFY either: then followers and sequencers poll more often. */
  async #prepare(): Promise<Numbering> {
    const known = this.#numbering;
    const listening = this.#listener?.lost === false;
    if (known && (listening || !known.notifies || performance.now() < this.#listenAt)) return known;
    this.#listenAt = performance.now() + listenAgainAfter;
    let notifies = true;
    try {
      this.#listener = await this.#store.listen([wakeChannel], () => this.#notice());
    } catch (error) {
      notifies = !isRefusal(error);
      if (notifies && !known) throw error;
    }
    this.#numbering ??= new Numbering(this.#store, this.#options.clock, notifies);
    return this.#numbering;
  }

  async #sleep(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, milliseconds);
    this.#interrupt = resolve;
    if (this.#closing) resolve();
    await promise;
    clearTimeout(timer);
    this.#interrupt = () => {};
  }
}
