/** Metadata of a record's answers by key. Sources of values are resolved once; values of feeds are read per query. */
import { isObject } from "../../../lib/values.ts";
import { numberOf } from "../../live/number.ts";
import type { Recipe } from "../../model/recipe.ts";
import {
  ConstantNumbers,
  ConstantObjects,
  type Entry,
  FeedCells,
  LiveNumbers,
  LiveObjects,
  type LiveValues,
  type MetaSource,
  NotedNumbers,
  NotedObjects,
  type NoteValue,
  type Parse,
} from "./column.ts";
import type { NumberColumn, ValueColumn } from "./filter.ts";

export class Columns {
  readonly #recipe: Recipe;
  readonly #live: LiveValues;
  readonly #note: NoteValue | undefined;
  readonly #feeds: FeedCells[] = [];
  readonly #readers = new Map<Parse<unknown>, Parse<unknown>>();
  #generation = Number.NaN;

  constructor(recipe: Recipe, live: LiveValues, note?: NoteValue) {
    this.#recipe = recipe;
    this.#live = live;
    this.#note = note;
  }

  numbers(key: string): NumberColumn {
    const entries = this.entries(key);
    const values = entries.map((entry) => numberOf(entry?.value));
    const feeds = this.#feedsOf(key, entries);
    const column = feeds ? new LiveNumbers(values, feeds, this.#live) : new ConstantNumbers(values);
    return this.#note ? new NotedNumbers(column, key, entries, this.#note) : column;
  }

  /** Filters that pass the same function share its parsed values. */
  values<Value>(key: string, parse: Parse<Value>): ValueColumn<Value> {
    const entries = this.entries(key);
    const parseOnce = this.#once(parse);
    const values = entries.map((entry) => (entry?.value === undefined ? undefined : parseOnce(entry.value)));
    const feeds = this.#feedsOf(key, entries);
    const column = feeds ? new LiveObjects(values, feeds, this.#live, parseOnce) : new ConstantObjects(values);
    return this.#note ? new NotedObjects(column, key, entries, this.#note) : column;
  }

  /** Returns, for each answer, the Unix milliseconds of its feed's last change; NaN without a feed. */
  changedAt(key: string): (answer: number) => number {
    const feeds = this.#feedsOf(key, this.entries(key));
    const live = this.#live;
    return (answer) => {
      const cell = feeds?.cells[answer] ?? -1;
      return cell < 0 ? Number.NaN : live.changedAt(cell);
    };
  }

  /** Whether any requested key has a value from a feed. */
  get isLive(): boolean {
    return this.#feeds.length > 0;
  }

  /** Call before a query reads: finds the cells of feeds that were added or moved. */
  refresh(): void {
    const { generation } = this.#live;
    if (generation === this.#generation) return;
    this.#generation = generation;
    for (const feeds of this.#feeds) feeds.find(this.#live);
  }

  /** The entries by answer; a last, undefined entry is for an answer without metadata. */
  entries(key: string): (Entry | undefined)[] {
    const { answers, meta } = this.#recipe;
    const spellings = feedKey(key) === "loadavg" ? ["loadavg", "loadAvg"] : [key];
    const found = answers.map((answer) => {
      for (const spelling of spellings) {
        const own = entryOf(answer.meta, spelling, "answer");
        if (own) return own;
      }
      for (const spelling of spellings) {
        const ofRegion = entryOf(regionMeta(this.#recipe, answer.region), spelling, "region");
        if (ofRegion) return ofRegion;
      }
      for (const spelling of spellings) {
        const ofRecord = entryOf(meta, spelling, "record");
        if (ofRecord) return ofRecord;
      }
      return undefined;
    });
    return [...found, undefined];
  }

  /** Parses each object once: answers share the values of a region, of the record or of a feed. */
  #once<Value>(parse: Parse<Value>): Parse<Value> {
    const known = this.#readers.get(parse);
    if (known !== undefined) return known as Parse<Value>;
    const parsed = new WeakMap<object, Value | undefined>();
    const parseOnce = (value: unknown) => {
      if (typeof value !== "object" || value === null) return parse(value);
      if (!parsed.has(value)) parsed.set(value, parse(value));
      return parsed.get(value);
    };
    this.#readers.set(parse, parseOnce);
    return parseOnce;
  }

  #feedsOf(key: string, entries: readonly (Entry | undefined)[]): FeedCells | undefined {
    if (!entries.some((entry) => entry?.feed !== undefined)) return undefined;
    const feeds = new FeedCells(
      feedKey(key),
      entries.map((entry) => entry?.feed),
    );
    feeds.find(this.#live);
    this.#feeds.push(feeds);
    return feeds;
  }
}

/** The spelling of a key in the live table. */
export const feedKey = (key: string) => (key === "loadAvg" ? "loadavg" : key);

function entryOf(meta: unknown, key: string, source: MetaSource): Entry | undefined {
  if (!isObject(meta) || !Object.hasOwn(meta, key)) return undefined;
  const value = meta[key];
  if (value === undefined || value === null) return undefined;
  if (!isObject(value) || typeof value["feed"] !== "string") return { source, value, feed: undefined };
  return { source, value: undefined, feed: value["feed"] };
}

function regionMeta({ regions }: Recipe, name: unknown): unknown {
  if (typeof name !== "string" || !isObject(regions) || !Object.hasOwn(regions, name)) return undefined;
  const region = regions[name];
  return isObject(region) ? region["meta"] : undefined;
}
