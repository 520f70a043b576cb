/** The live table's memory, which the writer sends to each reader in another thread once: it grows in place. */

/** Structured-cloneable. */
export interface LiveShare {
  readonly cells: SharedArrayBuffer;
  readonly slots: SharedArrayBuffer;
  readonly texts: SharedArrayBuffer;
}

/** The state of one feed: the fields of the live stream that the table stores. */
export interface FeedState {
  readonly feed_id: string;
  /** Values by metadata key; null when the feed was removed. */
  readonly data: Readonly<Record<string, unknown>> | null;
  /** Unix milliseconds of the push; null before the first push. */
  readonly at: number | null;
  /** Seconds after the push until `data` expires; null: never. */
  readonly max_age: number | null;
  /** Values for keys that `data` does not contain, or after `data` has expired. */
  readonly fallback: Readonly<Record<string, unknown>> | null;
}
