/** Which feeds edges were just told of, and which wait to be told: the bookkeeping of one process. */
import type { Clock } from "../../../lib/clock.ts";
import type { FeedKey } from "./late-store.ts";

/** Milliseconds for which edges are told nothing new of a feed; a push that finds it quiet is told at once. */
const quietFor = 100;
/** Feeds and octets of JSON in one message. */
const mostFeeds = 2000;
const mostOctets = 4 << 20;

/** A feed with values to be told. */
export interface LateFeed extends FeedKey {
  /** Of its values. */
  readonly octets: number;
}

export interface WaitingFeed extends LateFeed {
  /** Ids of what the store has until the feed was told. */
  readonly notes: readonly string[];
}

export class WaitingFeeds {
  readonly #clock: Clock;
  /** When edges were told of a feed, by id and in the order of times. */
  readonly #told = new Map<string, number>();
  readonly #waiting = new Map<string, WaitingFeed>();
  /** How many feeds of a note wait. */
  readonly #notes = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  has(note: string): boolean {
    return this.#notes.has(note);
  }

  /** Whether edges were told nothing of the feed for a while, and nothing waits to be told. */
  isQuiet(feed_id: string): boolean {
    return !this.#waiting.has(feed_id) && this.#isDue(feed_id);
  }

  /** Edges are told of these feeds now. */
  told(feeds: readonly FeedKey[]): void {
    const now = this.#clock.now();
    for (const [feed_id] of this.#told) {
      if (!this.#isDue(feed_id)) break;
      this.#told.delete(feed_id);
    }
    for (const { feed_id } of feeds) {
      this.#told.delete(feed_id);
      this.#told.set(feed_id, now);
    }
  }

  /** The store has a note with this id, by which these feeds are to be told. */
  add(note: string, feeds: readonly LateFeed[]): void {
    this.#notes.set(note, feeds.length);
    for (const feed of feeds) this.#put({ ...feed, notes: [note] });
  }

  /** Takes feeds that are due, up to what one message holds. They are told from now on, or given back. */
  take(): readonly WaitingFeed[] {
    const feeds: WaitingFeed[] = [];
    let octets = 0;
    for (const feed of this.#waiting.values()) {
      if (feeds.length === mostFeeds) break;
      if (!this.#isDue(feed.feed_id)) continue;
      octets += feed.octets;
      if (feeds.length > 0 && octets > mostOctets) break;
      feeds.push(feed);
    }
    for (const { feed_id } of feeds) this.#waiting.delete(feed_id);
    this.told(feeds);
    return feeds;
  }

  /** They could not be told. */
  giveBack(feeds: readonly WaitingFeed[]): void {
    for (const feed of feeds) this.#put(feed);
  }

  /** The notes of which these feeds were the last that waited. */
  finish(feeds: readonly WaitingFeed[]): string[] {
    const done: string[] = [];
    for (const note of feeds.flatMap(({ notes }) => notes)) {
      const left = this.#notes.get(note)! - 1;
      if (left > 0) this.#notes.set(note, left);
      else this.#notes.delete(note);
      if (left === 0) done.push(note);
    }
    return done;
  }

  /** Beside what it waited for already. */
  #put(feed: WaitingFeed): void {
    const before = this.#waiting.get(feed.feed_id)?.notes ?? [];
    this.#waiting.set(feed.feed_id, { ...feed, notes: [...before, ...feed.notes] });
  }

  /** A time in the future is one before the clock was set back. */
  #isDue(feed_id: string): boolean {
    const told = this.#told.get(feed_id);
    const now = this.#clock.now();
    return told === undefined || told > now || told + quietFor <= now;
  }
}
