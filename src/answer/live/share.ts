/** What the writer of the live table hands to readers in other threads, once: the memory grows in place. */

/** Structured-cloneable. */
export interface LiveShare {
  readonly cells: SharedArrayBuffer;
  readonly slots: SharedArrayBuffer;
  readonly texts: SharedArrayBuffer;
}

/** All that one feed says; the part of the live stream's values that the table keeps. */
export interface FeedState {
  readonly feed_id: string;
  /** By metadata key; null when the feed is gone. */
  readonly data: Readonly<Record<string, unknown>> | null;
  /** Unix milliseconds of the push; null before the first one. */
  readonly at: number | null;
  /** Seconds after the push from which on `data` does not count; null: it counts for ever. */
  readonly max_age: number | null;
  /** What counts for the keys that `data` says nothing about, or nothing any more. */
  readonly fallback: Readonly<Record<string, unknown>> | null;
}
