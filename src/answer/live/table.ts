/**
 * The live table: the current value of every key of every feed, in memory shared by all threads. It has one writer;
 * readers take no locks. Each cell has two copies of its contents, and a version that selects the current copy: a change
 * becomes visible with one store, and a reader that is overtaken by two changes notices that and reads again.
 */
import { own } from "../../lib/values.ts";
import { Cells } from "./cells.ts";
import { mostCells, mostTextOctets } from "./layout.ts";
import { LiveReader } from "./reader.ts";
import type { FeedState, LiveShare } from "./share.ts";

/**
 * A feed with at most this many keys keeps the cells of keys that its last push omits, while half of all cells are free:
 * otherwise pushes with alternating keys would make every chain look up its cells again.
 */
const mostUnset = 32;

export interface LiveTableOptions {
  /** Maximum number of keys of all feeds, and octets of their names and values as JSON. */
  readonly cells?: number;
  readonly textOctets?: number;
}

export class LiveTable {
  readonly #cells: Cells;
  /** Handles by feed id and key. */
  readonly #feeds = new Map<string, Map<string, number>>();
  readonly #most: number;
  /** The number of values left out, by feed id. */
  readonly #unserved = new Map<string, number>();

  constructor({ cells = mostCells, textOctets = mostTextOctets }: LiveTableOptions = {}) {
    this.#most = Math.min(cells, mostCells);
    this.#cells = new Cells(this.#most, textOctets);
  }

  share(): LiveShare {
    return this.#cells.share();
  }

  stats() {
    let unserved = 0;
    for (const values of this.#unserved.values()) unserved += values;
    return { feeds: this.#feeds.size, unserved, ...this.#cells.stats() };
  }

  /** The state of each feed, sufficient to fill another table. */
  *states(): Iterable<FeedState> {
    const reader = new LiveReader(this.share());
    for (const [feed_id, keys] of this.#feeds) yield stateOf(reader, feed_id, keys);
  }

  /** Ids of the feeds in the table. */
  feeds(): IterableIterator<string> {
    return this.#feeds.keys();
  }

  /**
   * Stores the states of feeds; of two states of one feed the later applies. Returns the number of values left out
   * because they are longer than `mostValueOctets` or the table is full: their keys are unset.
   */
  put(states: readonly FeedState[]): number {
    // at most one write per cell and call: a reader of the other copy is not disturbed
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
      if (data !== null && keys.size <= mostUnset && this.#cells.count <= this.#most / 2) {
        wanted.add(key);
        continue;
      }
      this.#cells.remove(handle);
      keys.delete(key);
    }
    for (const key of wanted) refused += this.#putKey(keys, key, { ...state, data, fallback });
    if (keys.size > 0) this.#feeds.set(feed_id, keys);
    else this.#feeds.delete(feed_id);
    if (refused > 0) this.#unserved.set(feed_id, refused);
    else this.#unserved.delete(feed_id);
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
    const value = own(data ?? {}, key);
    const until = value === undefined ? Number.NEGATIVE_INFINITY : expiryOf(at, max_age);
    return this.#cells.write(handle, { value, fallback: own(fallback ?? {}, key), at: at ?? Number.NaN, until });
  }
}

function stateOf(reader: LiveReader, feed_id: string, keys: ReadonlyMap<string, number>): FeedState {
  const data: Record<string, unknown> = {};
  const fallback: Record<string, unknown> = {};
  let at: number | null = null;
  let max_age: number | null = null;
  for (const [key, cell] of keys) {
    // at time -Infinity the pushed value applies, at Infinity the fallback
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

/** Unlike an assignment, this also sets the key `__proto__`. */
const set = (table: Record<string, unknown>, key: string, value: unknown) =>
  Object.defineProperty(table, key, { value, enumerable: true });

/** The key `loadavg` has a second spelling, `loadAvg`; its value is stored under the API's own spelling. */
function respelt(table: FeedState["data"]): FeedState["data"] {
  if (table === null || !Object.hasOwn(table, "loadAvg")) return table;
  const { loadAvg, ...others } = table;
  return { loadavg: loadAvg, ...others };
}

function expiryOf(at: number | null, maxAge: number | null): number {
  if (maxAge === null) return Number.POSITIVE_INFINITY;
  return at === null ? Number.NEGATIVE_INFINITY : at + maxAge * 1000;
}
