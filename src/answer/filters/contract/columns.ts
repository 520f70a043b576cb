/** The metadata of a record's answers by key. Each value's source is found once; values of feeds are read per query. */
import { isObject, own } from "../../../lib/values.ts";
import { numberOf } from "../../live/number.ts";
import { spellingsOf } from "../../model/meta.ts";
import type { SteeringSettings } from "../../model/steering-settings.ts";
import {
  ConstantNumbers,
  ConstantObjects,
  type Entry,
  FeedCells,
  LiveNumbers,
  LiveObjects,
  type LiveValues,
  type MetaSource,
  type NoteValue,
  type Parse,
} from "./column.ts";
import type { Column } from "./filter.ts";

export class Columns {
  readonly #settings: SteeringSettings;
  readonly #live: LiveValues;
  readonly #note: NoteValue | undefined;
  readonly #feeds: FeedCells[] = [];
  readonly #entries = new Map<string, readonly (Entry | undefined)[]>();
  readonly #readers = new Map<Parse<unknown>, Parse<unknown>>();
  #generation = Number.NaN;

  constructor(settings: SteeringSettings, live: LiveValues, note?: NoteValue) {
    this.#settings = settings;
    this.#live = live;
    this.#note = note;
  }

  numbers(key: string): Column<number> {
    const entries = this.entries(key);
    const values = entries.map((entry) => numberOf(entry?.value));
    const feeds = this.#feedsOf(key, entries);
    const column = feeds ? new LiveNumbers(values, feeds, this.#live) : new ConstantNumbers(values);
    return this.#noted(column, key, entries, feeds);
  }

  /** Filters that pass the same `parse` share its parsed values. */
  values<Value>(key: string, parse: Parse<Value>): Column<Value | undefined> {
    const entries = this.entries(key);
    const parseOnce = this.#once(parse);
    const values = entries.map((entry) => (entry?.value === undefined ? undefined : parseOnce(entry.value)));
    const feeds = this.#feedsOf(key, entries);
    const column = feeds ? new LiveObjects(values, feeds, this.#live, parseOnce) : new ConstantObjects(values);
    return this.#noted<Value | undefined>(column, key, entries, feeds);
  }

  /** Returns a function: when the value of an answer's feed last changed, in Unix milliseconds; NaN without a feed. */
  changedAt(key: string): (answer: number) => number {
    const feeds = this.#feedsOf(key, this.entries(key));
    const live = this.#live;
    return (answer) => {
      const cell = feeds?.cells[answer] ?? -1;
      return cell < 0 ? Number.NaN : live.changedAt(cell);
    };
  }

  /** Whether any key requested so far has a value from a feed. */
  get isLive(): boolean {
    return this.#feeds.length > 0;
  }

  /** Finds the cells of feeds again if any were added or moved. Call it before each query. */
  refresh(): void {
    const { generation } = this.#live;
    if (generation === this.#generation) return;
    this.#generation = generation;
    for (const feeds of this.#feeds) feeds.find(this.#live);
  }

  /** The entries by answer; the last, undefined entry is for an answer that a filter makes without metadata. */
  entries(key: string): readonly (Entry | undefined)[] {
    const entries = this.#entries.get(key) ?? this.#find(key);
    this.#entries.set(key, entries);
    return entries;
  }

  #find(key: string): (Entry | undefined)[] {
    const { answers, meta } = this.#settings;
    const spellings = spellingsOf(key);
    const found = answers.map((answer) => {
      const region = regionMeta(this.#settings, answer.region);
      const levels = [["answer", answer.meta] as const, ["region", region] as const, ["record", meta] as const];
      for (const [source, table] of levels) {
        const entry = spellings.map((spelling) => entryOf(table, spelling, source)).find((each) => each !== undefined);
        if (entry) return entry;
      }
      return undefined;
    });
    return [...found, undefined];
  }

  /** The column itself, or for a trace a column that reports each value that is read. */
  #noted<Value>(
    column: Column<Value>,
    key: string,
    entries: readonly (Entry | undefined)[],
    feeds: FeedCells | undefined,
  ): Column<Value> {
    const note = this.#note;
    const live = this.#live;
    if (!note) return column;
    const { isConstant, isEmpty } = column;
    const at = (answer: number) => {
      const value = column.at(answer);
      const entry = entries[answer];
      const cell = feeds?.cells[answer] ?? -1;
      note(answer, key, cell < 0 ? entry?.value : live.value(cell), entry);
      return value;
    };
    return { isConstant, isEmpty, at };
  }

  /** Parses each object once: several answers may have the value of a region, of the record or of a feed. */
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
  const value = isObject(meta) ? own(meta, key) : undefined;
  if (value === undefined || value === null) return undefined;
  if (!isObject(value) || typeof value["feed"] !== "string") return { source, value, feed: undefined };
  return { source, value: undefined, feed: value["feed"] };
}

function regionMeta({ regions }: SteeringSettings, name: unknown): unknown {
  const region = typeof name === "string" && isObject(regions) ? own(regions, name) : undefined;
  return isObject(region) ? region["meta"] : undefined;
}
