/** Tells edges, a tenth of a second after what they were told of a feed, the last of the values pushed to it since. */
import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import type { Store } from "../../../storage/db.ts";
import { announceLive, publishLive } from "../../../storage/outbox/live.ts";
import { liveValue } from "../model/present.ts";
import { mostTableOctets } from "../types/sourcetype.ts";
import { deleteNotes, type FeedKey, listFeedsAt, listNotes, lockTelling } from "./late-store.ts";
import { type LateFeed, WaitingFeeds } from "./waiting.ts";

/** Milliseconds between two messages, so that feeds that were told at different times share them. */
const tick = 20;
/** Milliseconds between two looks for what another process left, and after which it is taken to be left. */
const lookEvery = 5000;
const leftAfter = 2000;

interface LateOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

/** What waits stands in the store, too, so that another process tells it when this one has ended. */
export class LateValues {
  readonly #options: LateOptions;
  readonly #feeds: WaitingFeeds;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #looked = Number.NEGATIVE_INFINITY;
  /** Notes whose feeds were told. */
  #done: string[] = [];
  #wake: () => void = () => {};

  constructor(options: LateOptions) {
    this.#options = options;
    this.#feeds = new WaitingFeeds(options.clock);
    this.#running = this.#run();
  }

  /** Whether edges are to be told at once of a push to the feed. */
  isQuiet(feed_id: string): boolean {
    return this.#feeds.isQuiet(feed_id);
  }

  /** Edges were told of these feeds. */
  told(feeds: readonly FeedKey[]): void {
    this.#feeds.told(feeds);
  }

  /** The store has a note with this id, by which these feeds are to be told. */
  add(note: string, feeds: readonly LateFeed[]): void {
    this.#feeds.add(note, feeds);
    this.#wake();
  }

  /** What is left is for another process, or the next start. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    let isFailing = false;
    while (!this.#closing.signal.aborted) {
      try {
        await this.#look();
        await this.#tell();
        isFailing = false;
      } catch (error) {
        if (!isFailing) this.#options.log.warn({ reason: String(error) }, "pushed values are told late; trying again");
        isFailing = true;
      }
      await this.#pause(tick, this.#closing.signal);
      if (this.#feeds.isEmpty) await this.#rest();
    }
  }

  /** Until something waits, or it is time to look. */
  async #rest(): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    await this.#pause(lookEvery, AbortSignal.any([this.#closing.signal, woken.signal]));
    this.#wake = () => {};
  }

  async #pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    await delay(milliseconds, undefined, { signal, ref: false }).catch(() => {});
  }

  /** Now and then, for what a process left that ended. */
  async #look(): Promise<void> {
    const now = performance.now();
    if (now - this.#looked < lookEvery) return;
    this.#looked = now;
    for (const { id, feeds } of await listNotes(this.#options.store.db, leftAfter)) {
      if (this.#feeds.has(id)) continue;
      // how large their values are is not known before they are read
      this.#feeds.add(
        id,
        feeds.map((feed) => ({ ...feed, octets: mostTableOctets })),
      );
    }
  }

  async #tell(): Promise<void> {
    const { store } = this.#options;
    for (let feeds = this.#feeds.take(); feeds.length > 0; feeds = this.#feeds.take()) {
      try {
        await store.transaction(async (tx) => {
          await lockTelling(tx);
          publishLive(tx, (await listFeedsAt(tx, feeds)).map(liveValue));
        });
      } catch (error) {
        this.#feeds.giveBack(feeds);
        throw error;
      }
      void announceLive(store.db);
      this.#done.push(...this.#feeds.finish(feeds));
    }
    // none is told twice because its note is still there, but for the end of this process
    if (this.#done.length > 0) await deleteNotes(store.db, this.#done);
    this.#done = [];
  }
}
