/** Each feed is published at most once in a tenth of a second: pushes in between wait here, and the newest values are published when that time is over. */
import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import { type Loop, loop } from "../../../lib/loop.ts";
import type { Store } from "../../../storage/db.ts";
import { announceLive, type FeedKey, lockLive, publishLive } from "../../../storage/outbox/live.ts";
import { deleteNotes, listNotes } from "./deferred-store.ts";
import { octetsOfData } from "./push-store.ts";
import { type DeferredFeed, WaitingFeeds } from "./waiting.ts";

/** Milliseconds between two messages, so that feeds that were published at different times share a message. */
const tick = 20;
/** Milliseconds between two polls for notes that another process left behind, and the age after which a note is taken over. */
const pollEvery = 5000;
const leftAfter = 2000;
/**
 * Milliseconds between two polls where no other process takes pushes. The first two polls find the notes of the previous
 * process; a note found later belongs to a push that may have failed.
 */
const pollEveryAlone = 30_000;

interface DeferredOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

/** Waiting feeds are noted in the store as well, so that another process publishes them when this one has ended. */
export class DeferredFeeds {
  readonly #options: DeferredOptions;
  readonly #feeds: WaitingFeeds;
  readonly #loop: Loop;
  #hasPolled = false;
  #pollAt = 0;
  /** Notes whose feeds were published. */
  #done: string[] = [];

  constructor(options: DeferredOptions) {
    this.#options = options;
    this.#feeds = new WaitingFeeds(options.clock);
    this.#loop = loop({
      turn: () => this.#turn(),
      every: pollEvery,
      gather: tick,
      complain: (error) =>
        options.log.warn({ reason: String(error) }, "pushed values cannot be published yet; this will be retried"),
    });
  }

  /** Whether a push to the feed is to be published at once. */
  isQuiet(feed: FeedKey): boolean {
    return this.#feeds.isQuiet(feed);
  }

  /** Records that these feeds were published. */
  published(feeds: readonly FeedKey[]): void {
    this.#feeds.published(feeds);
  }

  /** Adds the feeds of a note that the store has under this id. */
  add(note: string, feeds: readonly DeferredFeed[]): void {
    this.#feeds.add(note, feeds);
    this.#loop.wake();
  }

  /** Leaves the remaining notes to another process or the next start. */
  close(): Promise<void> {
    return this.#loop.close();
  }

  /** While feeds wait, the next turn follows at the next tick. Otherwise returns the milliseconds until the next poll. */
  async #turn(): Promise<number> {
    try {
      await this.#poll();
      await this.#publish();
      return this.#pollAt - performance.now();
    } finally {
      // after an error, too: feeds that wait are not left until the next poll
      if (!this.#feeds.isEmpty || this.#done.length > 0) this.#loop.wake();
    }
  }

  /** Reads, from time to time, the notes that a process left behind when it ended. */
  async #poll(): Promise<void> {
    const { db, isEmbedded } = this.#options.store;
    const now = performance.now();
    if (now < this.#pollAt) return;
    this.#pollAt = now + pollEvery;
    const notes = await listNotes(db, leftAfter);
    if (isEmbedded && this.#hasPolled) this.#pollAt = now + pollEveryAlone;
    this.#hasPolled = true;
    for (const { id, feeds } of notes) {
      if (this.#feeds.has(id)) continue;
      const sizes = await octetsOfData(db, feeds);
      this.#feeds.add(
        id,
        feeds.map((feed) => ({ ...feed, octets: sizes.get(feed.feed_id) ?? 0 })),
      );
    }
  }

  async #publish(): Promise<void> {
    const { store } = this.#options;
    for (let feeds = this.#feeds.take(); feeds.length > 0; feeds = this.#feeds.take()) {
      try {
        await store.transaction(async (tx) => {
          await lockLive(tx);
          publishLive(tx, feeds);
        });
      } catch (error) {
        this.#feeds.giveBack(feeds);
        throw error;
      }
      void announceLive(store.db);
      this.#done.push(...this.#feeds.finish(feeds));
    }
    // deleted afterwards: a feed is published twice only when this process ends in between
    if (this.#done.length > 0) await deleteNotes(store.db, this.#done);
    this.#done = [];
  }
}
