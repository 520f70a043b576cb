/** The source that a subscription pulls from; a carrier implements it for each stream. */

/** A revision of a stream. Its mark is drawn with it: two stores that have this revision and mark have the same past. */
export interface Numeral {
  readonly revision: number;
  readonly mark: string;
}

/** Every message of a stream has a revision, and the revisions of a stream have no gaps. */
export interface Sequenced extends Numeral {
  /** The revision before this one, and its mark. */
  readonly previous: number;
  readonly previous_mark: string;
}

/** An open connection to the store of a stream. Every method fails once the connection is gone. */
export interface StreamSource<Baseline, Message> {
  /** Whether the source reports that there is something new; otherwise it is polled more often. */
  readonly notifies: boolean;
  /** Identifies the store; undefined when the store cannot say. */
  store(): Promise<string | undefined>;
  /** The last revision. */
  head(): Promise<Numeral>;
  /** The next messages after a revision, in order. Throws `StreamBroken` when a stored message is damaged. */
  read(after: number): Promise<Page<Message>>;
  /** Calls `take` with everything at one revision. */
  baseline(take: (baseline: Baseline) => Promise<void>): Promise<void>;
  /** The followers that the store knows: messages that a follower still needs are not trimmed. */
  readonly registry?: FollowerRegistry;
  /** Drops the connection without waiting for anything. */
  end(): void;
}

/** Messages that are handled together. */
export interface Page<Message> {
  readonly messages: readonly Message[];
  /** Whether further messages may be available already. */
  readonly more: boolean;
}

export interface FollowerRegistry {
  /** Registers this follower at a revision. */
  report(revision: number): Promise<void>;
  /** Removes this follower. */
  forget(): Promise<void>;
}
