/** Keeps the recently published feeds and the feeds that wait to be published, for one process. */
import type { Clock } from "../../../lib/clock.ts";
import type { FeedKey } from "../../../storage/outbox/live.ts";

/** Milliseconds between two messages about one feed; a push that comes later is published at once. */
const quietFor = 100;
/** Feeds and octets of JSON in one message: edges take it in one step, and other pushes wait meanwhile. */
const mostFeeds = 250;
const mostOctets = 256 * 1024;
/** Feeds of one account in a message, while others wait. */
const mostOfOne = 200;

/** A feed with values to be published. */
export interface DeferredFeed extends FeedKey {
  /** The size of its values. */
  readonly octets: number;
}

export interface WaitingFeed extends DeferredFeed {
  /** Ids of the notes that stay in the store until the feed is published. */
  readonly notes: readonly string[];
}

export class WaitingFeeds {
  readonly #clock: Clock;
  /** The time of each feed's last publication by feed id, in the order of times. */
  readonly #published = new Map<string, number>();
  /** Feeds by account, in the order of their next turns, and by id. */
  readonly #accounts = new Map<string, Map<string, WaitingFeed>>();
  /** The number of waiting feeds by note. */
  readonly #notes = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isEmpty(): boolean {
    return this.#accounts.size === 0;
  }

  has(note: string): boolean {
    return this.#notes.has(note);
  }

  /** Whether the feed was not published recently and has no values waiting. */
  isQuiet({ account_id, feed_id }: FeedKey): boolean {
    return !this.#accounts.get(account_id)?.has(feed_id) && this.#isDue(feed_id);
  }

  /** Records that these feeds are published now. */
  published(feeds: readonly FeedKey[]): void {
    const now = this.#clock.now();
    for (const [feed_id] of this.#published) {
      if (!this.#isDue(feed_id)) break;
      this.#published.delete(feed_id);
    }
    for (const { feed_id } of feeds) {
      this.#published.delete(feed_id);
      this.#published.set(feed_id, now);
    }
  }

  /** Adds the feeds of a note that the store has under this id. */
  add(note: string, feeds: readonly DeferredFeed[]): void {
    this.#notes.set(note, feeds.length);
    for (const feed of feeds) this.#put({ ...feed, notes: [note] });
  }

  /**
   * Takes due feeds, as many as fit in one message, and records them as published. Accounts take turns. The caller may give
   * the feeds back.
   */
  take(): readonly WaitingFeed[] {
    const feeds: WaitingFeed[] = [];
    const share = this.#accounts.size > 1 ? mostOfOne : mostFeeds;
    let octets = 0;
    for (const [account, waiting] of [...this.#accounts]) {
      const before = feeds.length;
      for (const feed of waiting.values()) {
        if (feeds.length === Math.min(before + share, mostFeeds)) break;
        if (!this.#isDue(feed.feed_id)) continue;
        octets += feed.octets;
        if (feeds.length > 0 && octets > mostOctets) break;
        feeds.push(feed);
      }
      if (feeds.length === before) continue;
      // behind the other accounts
      this.#accounts.delete(account);
      this.#accounts.set(account, waiting);
    }
    for (const feed of feeds) this.#remove(feed);
    this.published(feeds);
    return feeds;
  }

  /** Puts back feeds that could not be published. */
  giveBack(feeds: readonly WaitingFeed[]): void {
    for (const feed of feeds) this.#put(feed);
  }

  /** Returns the notes that have no waiting feeds left after these. */
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

  /** Puts the feed into the queue, and joins its notes with those of the same feed already there. */
  #put(feed: WaitingFeed): void {
    const waiting = this.#accounts.get(feed.account_id) ?? new Map<string, WaitingFeed>();
    const before = waiting.get(feed.feed_id)?.notes ?? [];
    waiting.set(feed.feed_id, { ...feed, notes: [...before, ...feed.notes] });
    this.#accounts.set(feed.account_id, waiting);
  }

  #remove({ account_id, feed_id }: FeedKey): void {
    const waiting = this.#accounts.get(account_id)!;
    waiting.delete(feed_id);
    if (waiting.size === 0) this.#accounts.delete(account_id);
  }

  /** A publication time in the future means that the clock was set back. */
  #isDue(feed_id: string): boolean {
    const at = this.#published.get(feed_id);
    const now = this.#clock.now();
    return at === undefined || at > now || at + quietFor <= now;
  }
}
