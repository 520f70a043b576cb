/** Applies baselines and batches of live values to the live table. */
import type { FeedState } from "../../answer/live/share.ts";
import { LiveTable } from "../../answer/live/table.ts";
import type { Log } from "../../lib/log.ts";
import type { LiveBaseline, LiveBatch, LiveFollower } from "../../sync/live.ts";

/** Each batch is visible to all workers as soon as it is applied. */
export class EdgeLive implements LiveFollower {
  /** Values that were left out since the start: too long, or beyond the table's bounds. */
  refused = 0;
  readonly #table = new LiveTable();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  /** The table's memory, for every worker; it is never replaced. */
  share() {
    return this.#table.share();
  }

  stats() {
    return { ...this.#table.stats(), refused: this.refused };
  }

  /** The state of all feeds, for a snapshot. */
  states(): Iterable<FeedState> {
    return this.#table.states();
  }

  /** Takes over the state of feeds from a snapshot. */
  restore(states: readonly FeedState[]): void {
    this.#put(states);
  }

  /** Replaces values feed by feed; feeds that the baseline does not have are removed at its end. */
  async start(baseline: LiveBaseline): Promise<void> {
    const gone = new Set(this.#table.feeds());
    for await (const values of baseline.values()) {
      for (const { feed_id } of values) gone.delete(feed_id);
      this.#put(values);
    }
    this.#table.put(Array.from(gone, (feed_id) => ({ feed_id, data: null, at: null, max_age: null, fallback: null })));
  }

  apply(batches: readonly LiveBatch[]): void {
    this.#put(batches.flatMap(({ values }) => values));
  }

  #put(values: readonly FeedState[]): void {
    const refused = this.#table.put(values);
    if (refused === 0) return;
    this.refused += refused;
    this.#log.error({ refused }, "values of feeds cannot be served and were left out");
  }
}
