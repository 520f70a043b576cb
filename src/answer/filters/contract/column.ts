/** The columns that filters read: constant columns, and live columns with values of feeds. */
import type { Column } from "./filter.ts";

/** Values of feeds, which change while chains run. */
export interface LiveValues {
  /** Changes whenever cells are added or moved. */
  readonly generation: number;
  /** The cell that holds a feed's value for a key; -1 when the feed is not known. */
  cell(feed: string, key: string): number;
  /** The value as `numberOf` reads it; NaN when unset. */
  number(cell: number): number;
  /** Undefined when unset. The same object until the value changes. */
  value(cell: number): unknown;
  /** Unix milliseconds of the push that gave the value; NaN without a push. */
  pushedAt(cell: number): number;
  /** Unix milliseconds of the last change of the value; NaN when no value was pushed. */
  changedAt(cell: number): number;
}

/** Parses a stored value. Returns undefined for an invalid value, which is the same as unset; never throws. */
export type Parse<Value> = (value: unknown) => Value | undefined;

export type MetaSource = "answer" | "region" | "record";

/** Called for each value that a filter reads. */
export type NoteValue = (answer: number, key: string, value: unknown, entry: Entry | undefined) => void;

/** Where an answer's value for a key comes from. */
export interface Entry {
  readonly source: MetaSource;
  readonly value: unknown;
  /** The feed that has the value; `value` is then undefined. */
  readonly feed: string | undefined;
}

/** The cells of one key, by answer. */
export class FeedCells {
  /** By answer: a cell, -1 without a feed, or -2 while the feed is unknown. */
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

export class ConstantNumbers implements Column<number> {
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

export class LiveNumbers implements Column<number> {
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

export class ConstantObjects<Value> implements Column<Value | undefined> {
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

export class LiveObjects<Value> implements Column<Value | undefined> {
  readonly isConstant = false;
  readonly isEmpty = false;
  readonly #values: (Value | undefined)[];
  /** For each answer with a feed: the feed's value from which the one in `#values` was parsed. */
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
