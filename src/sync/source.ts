/** The source that a subscription pulls from: what a carrier implements for a stream. */

/** What every message of a stream tells about its place: revisions have no gaps in one subject. */
export interface Placed {
  readonly revision: number;
  /** The revision before this one. */
  readonly previous: number;
}

/** An open connection to where the stream is kept. Every method fails once the connection is gone. */
export interface Source<Baseline, Message> {
  /** Whether it calls `notice` when there is something new; if not, it is asked more often. */
  readonly tells: boolean;
  /** Which store this is: no other one answers the same. Undefined when it does not tell. */
  store(): Promise<string | undefined>;
  /** The revision given last. */
  head(): Promise<number>;
  /** The next messages after a revision, in order. Throws `StreamBroken` when a stored message is damaged. */
  read(after: number): Promise<Page<Message>>;
  /** Calls `take` with everything at one revision. */
  baseline(take: (baseline: Baseline) => Promise<void>): Promise<void>;
  /** Where the store keeps books on its followers, so that what they have not passed is not trimmed. */
  readonly books?: Books;
  /** Drops the connection without waiting for anything. */
  end(): void;
}

/** As many messages as are handled at once. */
export interface Page<Message> {
  readonly messages: readonly Message[];
  /** Whether there may be others behind them already. */
  readonly more: boolean;
}

export interface Books {
  /** Says how far this follower is. */
  report(revision: number): Promise<void>;
  /** Takes this follower off the books. */
  forget(): Promise<void>;
}
