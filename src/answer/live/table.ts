/**
 * The live table: what every key of every feed says at the moment, in memory that all threads share. One writer; its
 * readers take no locks. Each cell has two copies of its contents and a version that says which one is in force, so a
 * flip is one store, and a reader that was overtaken by two of them notices and reads again.
 */
import { Cells } from "./cells.ts";
import { mostCells, mostTextOctets } from "./layout.ts";
import { LiveReader } from "./reader.ts";
import type { FeedState, LiveShare } from "./share.ts";

/**
 * A feed with as many keys at most keeps the cells of those that its last push did not name: pushes that take turns
 * would otherwise have every chain look up its cells again.
 */
const mostUnset = 32;

export interface LiveTableOptions {
  /** Bounds: keys of all feeds, and octets of their JSON texts and names. */
  readonly cells?: number;
  readonly textOctets?: number;
}

export class LiveTable {
  readonly #cells: Cells;
  /** Feed to key to handle. */
  readonly #feeds = new Map<string, Map<string, number>>();
  readonly #most: number;

  constructor({ cells = mostCells, textOctets = mostTextOctets }: LiveTableOptions = {}) {
    this.#most = Math.min(cells, mostCells);
    this.#cells = new Cells(this.#most, textOctets);
  }

  share(): LiveShare {
    return this.#cells.share();
  }

  stats() {
    return { feeds: this.#feeds.size, ...this.#cells.stats() };
  }

  /** What the feeds say, one after another: enough to put it into another table. */
  *states(): Iterable<FeedState> {
    const reader = new LiveReader(this.share());
    for (const [feed_id, keys] of this.#feeds) yield stateOf(reader, feed_id, keys);
  }

  /** Ids of the feeds that are here. */
  feeds(): IterableIterator<string> {
    return this.#feeds.keys();
  }

  /**
   * Takes over what feeds say; of two states of one feed the later one counts. Returns how many values were left out
   * because they are longer than `maxValueOctets` or the table is full: their keys are unset.
   */
  put(states: readonly FeedState[]): number {
    // once a cell and call: a reader sees one of the two copies in peace
    const latest = new Map(states.map((state) => [state.feed_id, state]));
    let refused = 0;
    for (const state of latest.values()) refused += this.#putFeed(state);
    this.#cells.publish();
    return refused;
  }

  #putFeed(state: FeedState): number {
    const { feed_id } = state;
    const data = respelt(state.data);
    const fallback = respelt(state.fallback);
    const keys = this.#feeds.get(feed_id) ?? new Map<string, number>();
    const wanted = new Set([...Object.keys(data ?? {}), ...(data ? Object.keys(fallback ?? {}) : [])]);
    let refused = 0;
    for (const [key, handle] of keys) {
      if (wanted.has(key)) continue;
      if (data !== null && keys.size <= mostUnset) {
        wanted.add(key);
        continue;
      }
      this.#cells.remove(handle);
      keys.delete(key);
    }
    for (const key of wanted) refused += this.#putKey(keys, key, { ...state, data, fallback });
    if (keys.size > 0) this.#feeds.set(feed_id, keys);
    else this.#feeds.delete(feed_id);
    return refused;
  }

  #putKey(keys: Map<string, number>, key: string, state: FeedState): number {
    let handle = keys.get(key);
    if (handle === undefined) {
      handle = this.#cells.count < this.#most ? this.#cells.add(state.feed_id, key) : 0;
      if (handle === 0) return 1;
      keys.set(key, handle);
    }
    const { data, fallback, at, max_age } = state;
    const value = own(data, key);
    const until = value === undefined ? Number.NEGATIVE_INFINITY : expiryOf(at, max_age);
    return this.#cells.write(handle, { value, fallback: own(fallback, key), at: at ?? Number.NaN, until });
  }
}

function stateOf(reader: LiveReader, feed_id: string, keys: ReadonlyMap<string, number>): FeedState {
  const data: Record<string, unknown> = {};
  const fallback: Record<string, unknown> = {};
  let at: number | null = null;
  let max_age: number | null = null;
  for (const [key, cell] of keys) {
    // before all times what was pushed counts, after all times the fallback does
    reader.now = Number.NEGATIVE_INFINITY;
    const pushed = reader.changedAt(cell);
    if (!Number.isNaN(pushed)) {
      set(data, key, reader.value(cell));
      at = reader.pushedAt(cell);
    }
    reader.now = Number.POSITIVE_INFINITY;
    const until = reader.changedAt(cell);
    if (at !== null && !Number.isNaN(until)) max_age = (until - at) / 1000;
    const otherwise = reader.value(cell);
    if (otherwise !== undefined) set(fallback, key, otherwise);
  }
  return { feed_id, data, at, max_age, fallback };
}

/** A key may be `__proto__`. */
const set = (table: Record<string, unknown>, key: string, value: unknown) =>
  Object.defineProperty(table, key, { value, enumerable: true });

/** One key has two spellings in use: what comes under either is found under the API's own. */
const respelt = (table: FeedState["data"]) =>
  table !== null && Object.hasOwn(table, "loadAvg") ? { loadavg: table["loadAvg"], ...table } : table;

/** A pushed table may have a key such as `toString`. */
const own = (table: FeedState["data"], key: string) =>
  table !== null && Object.hasOwn(table, key) ? table[key] : undefined;

function expiryOf(at: number | null, maxAge: number | null): number {
  if (maxAge === null) return Number.POSITIVE_INFINITY;
  return at === null ? Number.NEGATIVE_INFINITY : at + maxAge * 1000;
}
