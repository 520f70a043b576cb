/** Metadata of all answers of a record by key: who a value comes from is decided once, what a feed says at each query. */

import { isObject } from "../lib/values.ts";
import type { NumberColumn, ValueColumn } from "./filter.ts";
import { numberOf } from "./live/number.ts";
import type { Recipe } from "./recipe.ts";

/** Values of feeds, which change while chains run. */
export interface LiveValues {
  /** Another number when cells were added or moved since. */
  readonly generation: number;
  /** Where a feed's value of a key is kept; -1 when the feed is not known. */
  cell(feed: string, key: string): number;
  /** NaN when unset, or no number; read as a constant value is. */
  number(cell: number): number;
  /** Undefined when unset. The same object until the value changes. */
  value(cell: number): unknown;
  /** Unix milliseconds of the push that gave the value; NaN without one. */
  pushedAt(cell: number): number;
  /** Unix milliseconds since when the value is what it is; NaN without one. */
  changedAt(cell: number): number;
}

type Parse<Value> = (value: unknown) => Value | undefined;

export type MetaSource = "answer" | "region" | "record";

/** Told of each value that a filter reads. */
export type NoteValue = (answer: number, key: string, value: unknown, entry: Entry | undefined) => void;

/** Where an answer's value of a key comes from. */
export interface Entry {
  readonly source: MetaSource;
  readonly value: unknown;
  /** The feed that has the value instead. */
  readonly feed: string | undefined;
}

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

  /** Filters that pass the same function share what it has parsed. */
  values<Value>(key: string, parse: Parse<Value>): ValueColumn<Value> {
    const entries = this.entries(key);
    const parseOnce = this.#once(parse);
    const values = entries.map((entry) => (entry?.value === undefined ? undefined : parseOnce(entry.value)));
    const feeds = this.#feedsOf(key, entries);
    const column = feeds ? new LiveObjects(values, feeds, this.#live, parseOnce) : new ConstantObjects(values);
    return this.#note ? new NotedObjects(column, key, entries, this.#note) : column;
  }

  /** For each answer: unix milliseconds since when its feed says what it says; NaN where no feed does. */
  changedAt(key: string): (answer: number) => number {
    const feeds = this.#feedsOf(key, this.entries(key));
    const live = this.#live;
    return (answer) => {
      const cell = feeds?.cells[answer] ?? -1;
      return cell < 0 ? Number.NaN : live.changedAt(cell);
    };
  }

  /** Whether a feed has any of the values that were asked for. */
  get isLive(): boolean {
    return this.#feeds.length > 0;
  }

  /** To be called before a query reads: finds the cells of feeds that have come or moved. */
  refresh(): void {
    const { generation } = this.#live;
    if (generation === this.#generation) return;
    this.#generation = generation;
    for (const feeds of this.#feeds) feeds.find(this.#live);
  }

  /** By answer; the last is that of an answer without metadata. */
  entries(key: string): (Entry | undefined)[] {
    const { answers, meta } = this.#recipe;
    const spellings = key === "loadavg" || key === "loadAvg" ? ["loadavg", "loadAvg"] : [key];
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

  /** Values of a region, of the record or of one feed are those of many answers. */
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
      key === "loadAvg" ? "loadavg" : key,
      entries.map((entry) => entry?.feed),
    );
    feeds.find(this.#live);
    this.#feeds.push(feeds);
    return feeds;
  }
}

/** Cells of one key by answer. */
class FeedCells {
  /** -1 where no feed has the value, -2 where one does that is not known yet. */
  readonly cells: number[];
  readonly #key: string;
  readonly #feeds: readonly (string | undefined)[];

  constructor(key: string, feeds: readonly (string | undefined)[]) {
    this.#key = key;
    this.#feeds = feeds;
    this.cells = feeds.map(() => noCell);
  }

  find(live: LiveValues): void {
    for (const [answer, feed] of this.#feeds.entries()) {
      const cell = feed === undefined ? noCell : live.cell(feed, this.#key);
      this.cells[answer] = feed !== undefined && cell < 0 ? unknownCell : cell;
    }
  }
}

const noCell = -1;
const unknownCell = -2;

class ConstantNumbers implements NumberColumn {
  readonly isConstant = true;
  readonly isEmpty: boolean;
  readonly #values: readonly number[];

  constructor(values: readonly number[]) {
    this.#values = values;
    this.isEmpty = values.every((value) => Number.isNaN(value));
  }

  at(answer: number): number {
    return this.#values[answer]!;
  }
}

class LiveNumbers implements NumberColumn {
  readonly isConstant = false;
  readonly isEmpty = false;
  readonly #values: readonly number[];
  readonly #cells: readonly number[];
  readonly #live: LiveValues;

  constructor(values: readonly number[], { cells }: FeedCells, live: LiveValues) {
    this.#values = values;
    this.#cells = cells;
    this.#live = live;
  }

  at(answer: number): number {
    const cell = this.#cells[answer]!;
    return cell < 0 ? this.#values[answer]! : this.#live.number(cell);
  }
}

class ConstantObjects<Value> implements ValueColumn<Value> {
  readonly isConstant = true;
  readonly isEmpty: boolean;
  readonly #values: readonly (Value | undefined)[];

  constructor(values: readonly (Value | undefined)[]) {
    this.#values = values;
    this.isEmpty = values.every((value) => value === undefined);
  }

  at(answer: number): Value | undefined {
    return this.#values[answer];
  }
}

class LiveObjects<Value> implements ValueColumn<Value> {
  readonly isConstant = false;
  readonly isEmpty = false;
  readonly #values: (Value | undefined)[];
  /** What `#values` of answers with a feed were parsed from. */
  readonly #parsed: unknown[] = [];
  readonly #cells: readonly number[];
  readonly #live: LiveValues;
  readonly #parse: Parse<Value>;

  constructor(values: (Value | undefined)[], { cells }: FeedCells, live: LiveValues, parse: Parse<Value>) {
    this.#values = values;
    this.#cells = cells;
    this.#live = live;
    this.#parse = parse;
  }

  at(answer: number): Value | undefined {
    const cell = this.#cells[answer]!;
    if (cell !== noCell) {
      const value = cell < 0 ? undefined : this.#live.value(cell);
      if (value !== this.#parsed[answer]) {
        this.#parsed[answer] = value;
        this.#values[answer] = value === undefined || value === null ? undefined : this.#parse(value);
      }
    }
    return this.#values[answer];
  }
}

/** For a trace: says what was read. */
class NotedNumbers implements NumberColumn {
  readonly isConstant: boolean;
  readonly isEmpty: boolean;
  readonly at: (answer: number) => number;

  constructor(column: NumberColumn, key: string, entries: readonly (Entry | undefined)[], note: NoteValue) {
    this.isConstant = column.isConstant;
    this.isEmpty = column.isEmpty;
    this.at = (answer) => {
      const value = column.at(answer);
      const entry = entries[answer];
      note(answer, key, entry && entry.feed === undefined ? entry.value : orUndefined(value), entry);
      return value;
    };
  }
}

class NotedObjects<Value> implements ValueColumn<Value> {
  readonly isConstant: boolean;
  readonly isEmpty: boolean;
  readonly at: (answer: number) => Value | undefined;

  constructor(column: ValueColumn<Value>, key: string, entries: readonly (Entry | undefined)[], note: NoteValue) {
    this.isConstant = column.isConstant;
    this.isEmpty = column.isEmpty;
    this.at = (answer) => {
      const value = column.at(answer);
      note(answer, key, entries[answer]?.value, entries[answer]);
      return value;
    };
  }
}

const orUndefined = (value: number) => (Number.isNaN(value) ? undefined : value);

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
