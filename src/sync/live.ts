/** The stream of live values: the current values of feeds, apart from configuration and from serials of zones. */
import type { Numeral, Sequenced } from "./stream-source.ts";
import type { StreamFollower } from "./subscription.ts";

/** Bumped when a reader of the older shape would misread a batch; a follower refuses unknown formats. */
export const liveFormat = 1;

/** Name of the stream of live values, whose revisions are drawn inside the transaction that stores a batch. */
export const live = "live";
/** Channel on which a writer announces a committed batch. */
export const liveChannel = "fairlead_live";

/** All values of one feed under keys that records have named. They replace the former ones, so applying them twice is harmless. */
export interface LiveValue {
  readonly account_id: string;
  readonly feed_id: string;
  /** By metadata key, values as they were pushed; null when the feed is gone. */
  readonly data: Readonly<Record<string, unknown>> | null;
  /** Unix milliseconds of the push; null before the first one. */
  readonly at: number | null;
  /** Seconds after the push for which `data` is valid; null for no limit. */
  readonly max_age: number | null;
  /** Values for the keys that `data` does not have, or has no longer. */
  readonly fallback: Readonly<Record<string, unknown>> | null;
}

/** One message of the stream: the values that one transaction stored. */
export interface LiveBatch extends Sequenced {
  readonly values: readonly LiveValue[];
}

/** Every feed that a record has named, at one revision. A feed that is not in the baseline is gone. */
export interface LiveBaseline extends Numeral {
  /** In batches small enough to hold. */
  values(): AsyncIterable<readonly LiveValue[]>;
}

/** Follows the live values: gets first `start`, then `apply` in order, and `start` again after a gap. */
export type LiveFollower = StreamFollower<LiveBaseline, LiveBatch>;

/** Throws when the text was written in a format that this version does not know. */
export function parseValues(text: string): readonly LiveValue[] {
  const { format, values } = JSON.parse(text);
  if (format !== liveFormat) {
    throw new Error(`live values in format ${format} were received; this version reads format ${liveFormat}`);
  }
  return values;
}
