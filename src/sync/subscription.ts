/** A follower of a stream, and its subscription: the contract between an edge and the carrier of its site. */
import type { Log } from "../lib/log.ts";

/** Applies a stream: gets first `start` with a baseline, then `apply` in order, and `start` again after a gap. */
export interface StreamFollower<Baseline, Message> {
  start(baseline: Baseline): Promise<void>;
  apply(messages: readonly Message[]): Promise<void> | void;
  /**
   * For a follower that delays messages: the revision up to which all are applied, which is reported to the store.
   * Throws when a delayed message cannot be applied any more.
   */
  applied?(): number | undefined;
}

/** The last position of a follower that has ended. */
export interface Position {
  readonly revision: number;
  /** The mark of the revision; left out by earlier versions, whose revisions have none. */
  readonly mark?: string | undefined;
  /** Identifies the store. A follower of another store, or of an unknown one, needs a baseline. */
  readonly store: string | undefined;
  /** Unix milliseconds at which the follower was known to be current. */
  readonly currentAt: number;
}

/** A running subscription. */
export interface Subscription {
  /** Revision up to which everything is applied. */
  readonly revision: number;
  /** The mark of a revision that was applied lately; undefined for another one. */
  markOf(revision: number): string | undefined;
  /** Identifies the store of the last baseline; undefined when the store has no identifier. */
  readonly store: string | undefined;
  /** Milliseconds since the follower was last known to be current; 0 while it is. */
  readonly behind: number;
  close(): Promise<void>;
}

export interface FollowOptions {
  readonly log: Log;
  /** Name of this follower: the store records its revision, and keeps messages until all followers have them. */
  readonly id: string;
  /** Gives up waiting for the first baseline. */
  readonly signal?: AbortSignal | undefined;
  /** Called when somebody waits for the follower to compare its data with the store. */
  readonly onDigests?: (() => void) | undefined;
  /** The follower's last position; when left out, a baseline is read. */
  readonly from?: Position | undefined;
}

/** The stream cannot be continued from where the follower is: it needs a new baseline. */
export class StreamBroken extends Error {}
