/** The values of feeds in an excerpt: those of the store, and assumed ones that are laid over them. */
import { feedKey } from "../../../answer/filters/contract/columns.ts";
import type { FeedState } from "../../../answer/live/share.ts";
import type { LiveTable } from "../../../answer/live/table.ts";
import { spellingsOf } from "../../../answer/model/meta.ts";
import { own } from "../../../lib/values.ts";

/** Assumed values by metadata key; a key with null has no pushed value. */
export type AssumedTable = Readonly<Record<string, unknown>>;

/** Where a value of a feed is from. */
export interface FeedOrigin {
  readonly origin: "pushed" | "fallback" | "assumed" | null;
  /** Unix milliseconds of the feed's push; null before the first one, and for an assumed value. */
  readonly pushed_at: number | null;
}

interface Known {
  readonly state: FeedState;
  /** Whether the pushed values are valid. */
  readonly isCurrent: boolean;
  readonly assumed: AssumedTable;
}

export class FeedValues {
  readonly #table: LiveTable;
  readonly #assumed: ReadonlyMap<string, AssumedTable>;
  /** The time at which ages are measured, in Unix milliseconds. */
  readonly #now: number;
  readonly #known = new Map<string, Known>();

  /** `assumed` has the assumed values by feed id. */
  constructor(table: LiveTable, assumed: ReadonlyMap<string, AssumedTable>, now: number) {
    this.#table = table;
    this.#assumed = assumed;
    this.#now = now;
  }

  /** Puts the values of feeds into the table. */
  put(states: readonly FeedState[]): void {
    this.#table.put(states);
    const changed: FeedState[] = [];
    for (const state of states) {
      const { feed_id, at, max_age } = state;
      const isCurrent = max_age === null || (at !== null && this.#now < at + max_age * 1000);
      const assumed = this.#assumed.get(feed_id) ?? {};
      this.#known.set(feed_id, { state, isCurrent, assumed });
      // a second write, so that the table sees which values change now
      if (Object.keys(assumed).length > 0) changed.push(this.#changed(state, assumed, isCurrent));
    }
    this.#table.put(changed);
  }

  /** Where the value of a feed for a key is from. */
  originOf(feed: string, key: string): FeedOrigin {
    const known = this.#known.get(feed);
    if (!known) return { origin: null, pushed_at: null };
    const { state, isCurrent, assumed } = known;
    const has = (table: AssumedTable | null) =>
      spellingsOf(feedKey(key)).some((name) => own(table ?? {}, name) !== undefined);
    if (has(assumed)) return { origin: "assumed", pushed_at: null };
    const origin = isCurrent && has(state.data) ? "pushed" : has(state.fallback) ? "fallback" : null;
    return { origin, pushed_at: state.at };
  }

  /** The state as after a push of the assumed values, which keeps the other valid ones. */
  #changed(state: FeedState, assumed: AssumedTable, isCurrent: boolean): FeedState {
    const gone = new Set(Object.keys(assumed).flatMap(spellingsOf));
    const left = Object.entries((isCurrent ? state.data : null) ?? {}).filter(([key]) => !gone.has(key));
    const added = Object.entries(assumed).filter(([, value]) => value !== null);
    return { ...state, data: Object.fromEntries([...left, ...added]), at: this.#now, max_age: null };
  }
}
