/** The sequencer: after commit, one process numbers the changes and gives the zones that they touch their serials. */
import { sql } from "kysely";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { Problem } from "../lib/problem.ts";
import { changeChannel } from "../sync/change.ts";
import type { Store } from "./db.ts";
import { type Lease, releaseLease, takeLease } from "./lease.ts";
import { Numbering } from "./numbering.ts";
import { trimChanges } from "./trim.ts";

export interface SequencerOptions {
  readonly log: Log;
  readonly clock: Clock;
  /** Name of this process, new at each start. */
  readonly holder: string;
}

export interface Sequencer {
  /** Says that a change was committed, so that it is numbered now and not at the next look. */
  wake(): void;
  close(): Promise<void>;
}

const leaseFor = 3000;
const renewAfter = 1000;
/** Pauses between two looks: changes of other processes wait that long at most. */
const shortestPause = 5;
const longestPause = 50;
const pauseWithoutLease = 250;
const pauseAfterFailure = 200;
const trimEvery = 30_000;
const nothing = { numbered: 0, more: false };

export function startSequencer(store: Store, options: SequencerOptions): Sequencer {
  const loop = new SequencerLoop(store, options);
  return { wake: () => loop.wake(), close: () => loop.close() };
}

class SequencerLoop {
  #store: Store;
  #options: SequencerOptions;
  #numbering: Numbering | undefined;
  #lease: Lease | undefined;
  #renewAt = 0;
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
    this.#woken = true;
    this.#interrupt();
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#interrupt();
    await this.#running;
    // without it the next holder waits until the lease ends
    if (this.#lease) await releaseLease(this.#store.db, this.#lease).catch(() => {});
  }

  async #run(): Promise<void> {
    let failing = false;
    while (!this.#closing) {
      try {
        await this.#turn();
        failing = false;
      } catch (error) {
        if (!failing)
          this.#options.log.error({ reason: String(error) }, "changes are not being numbered; trying again");
        failing = true;
        this.#lease = undefined;
        await this.#sleep(pauseAfterFailure);
      }
    }
  }

  async #turn(): Promise<void> {
    const lease = await this.#hold();
    if (!lease) return await this.#sleep(pauseWithoutLease);
    this.#numbering ??= new Numbering(this.#store, this.#options.clock, await this.#canNotify());
    const look = !this.#woken;
    this.#woken = false;
    const idle = look && !(await this.#numbering.isWaiting());
    const { numbered, more } = idle ? nothing : await this.#numbering.run(lease);
    if (numbered > 0) this.#pause = shortestPause;
    if (performance.now() > this.#trimAt) {
      this.#trimAt = performance.now() + trimEvery;
      await trimChanges(this.#store.db, Math.floor(this.#options.clock.now() / 1000));
    }
    if (more || this.#woken) return;
    await this.#sleep(this.#pause);
    this.#pause = Math.min(longestPause, this.#pause * 2);
  }

  /** The lease, renewed when it is due; undefined while another process holds it. */
  async #hold(): Promise<Lease | undefined> {
    if (this.#lease && performance.now() < this.#renewAt) return this.#lease;
    const before = this.#lease;
    const { holder, log } = this.#options;
    this.#renewAt = performance.now() + renewAfter;
    this.#lease = await takeLease(this.#store.db, "sequencer", holder, leaseFor);
    if (this.#lease && !before) log.info({ token: this.#lease.token }, "this process numbers the changes");
    if (!this.#lease && before) log.warn("another process numbers the changes now");
    return this.#lease;
  }

  /** Not every engine of the dialect can: a notice is only a hint, followers look by themselves too. */
  async #canNotify(): Promise<boolean> {
    try {
      await sql.raw(`notify ${changeChannel}`).execute(this.#store.db);
      return true;
    } catch (error) {
      if (error instanceof Problem) throw error;
      return false;
    }
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
