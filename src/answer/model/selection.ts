/** The answers that are left while a chain runs, in their order: one object a worker, begun anew for each record. */
import { sortByKey } from "./sort.ts";

/** Answers that filters may make for one query. */
export const maxMade = 256;

// An item: number of the answer, and above it the number of a made address, counted from 1.
const madeShift = 16;
const answerMask = (1 << madeShift) - 1;

/** Number of the answer of a saved item. */
export const answerOf = (item: number) => item & answerMask;

/** More answers than any record can have. */
export const maxAnswers = answerMask - 1;

export class Selection {
  /** How many are left; their ranks are 0 up to this. */
  count = 0;
  /** For filters: a number for each rank. `sort` goes by it. */
  keys = new Float64Array(0);
  /** For filters: a mark for each rank. */
  marks = new Uint8Array(0);
  /** Texts for the additional section, each the RDATA of a TXT record. */
  readonly texts: Uint8Array[] = [];
  #items = new Int32Array(0);
  #taken = new Int32Array(0);
  #spareKeys = new Float64Array(0);
  #made = 0;
  readonly #addresses = new Int32Array(maxMade + 1);

  /** Begins with answers 0 up to `answers`, in order. */
  begin(answers: number): void {
    if (this.keys.length < answers + maxMade) this.#grow(answers + maxMade);
    this.#made = 0;
    this.texts.length = 0;
    this.fill(answers);
  }

  /** Selects answers 0 up to `answers`, whatever was selected before. */
  fill(answers: number): void {
    const items = this.#items;
    for (let i = 0; i < answers; i++) items[i] = i;
    this.count = answers;
  }

  /** Number of the answer at a rank: its index in columns. */
  answer(rank: number): number {
    return this.#items[rank]! & answerMask;
  }

  /** The address that a filter made for this rank, 32 bits; undefined when the answer has its own RDATA. */
  address(rank: number): number | undefined {
    const made = this.#items[rank]! >>> madeShift;
    return made === 0 ? undefined : this.#addresses[made];
  }

  /** Copies a rank over another: to keep some, move them to the front in turn, then `cut`. */
  move(from: number, to: number): void {
    this.#items[to] = this.#items[from]!;
  }

  swap(a: number, b: number): void {
    const items = this.#items;
    const item = items[a]!;
    items[a] = items[b]!;
    items[b] = item;
  }

  /** Whether any answer is of a filter's making. */
  get hasMade(): boolean {
    return this.#made > 0;
  }

  /** Whether filters can make no more for this query. */
  get isFull(): boolean {
    return this.#made === maxMade;
  }

  /** Leaves the first `count`. */
  cut(count: number): void {
    if (count < this.count) this.count = count;
  }

  /** Sorts by `keys`, lowest first; equal ones stay in their order, NaN goes last. */
  sort(): void {
    const { keys, count } = this;
    for (let i = 0; i < count; i++) if (Number.isNaN(keys[i]!)) keys[i] = Number.POSITIVE_INFINITY;
    sortByKey(this.#items, keys, count, this.#taken, this.#spareKeys);
  }

  /** Empties the selection to be filled anew; returns how many there were, to be put back by their former ranks. */
  take(): number {
    const { count } = this;
    this.#taken.set(this.#items.subarray(0, count));
    this.count = 0;
    return count;
  }

  /** Number of the answer that was at a rank before `take`. */
  takenAnswer(rank: number): number {
    return this.#taken[rank]! & answerMask;
  }

  /** Puts back what was at a rank before `take`. */
  put(rank: number): void {
    this.#items[this.count++] = this.#taken[rank]!;
  }

  /** Puts an address (32 bits) in the name of an answer, whose metadata it has; false when there are too many. */
  putAddress(answer: number, address: number): boolean {
    if (this.isFull) return false;
    this.#addresses[++this.#made] = address;
    this.#items[this.count++] = answer | (this.#made << madeShift);
    return true;
  }

  /** Copies what is left into `items`, for `restore`; returns how many there are. */
  save(items: Int32Array): number {
    items.set(this.#items.subarray(0, this.count));
    return this.count;
  }

  /** Makes the selection that of `items` up to `count`. */
  restore(items: Int32Array, count: number): void {
    this.#items.set(items.subarray(0, count));
    this.count = count;
  }

  #grow(size: number): void {
    this.keys = new Float64Array(size);
    this.marks = new Uint8Array(size);
    this.#items = new Int32Array(size);
    this.#taken = new Int32Array(size);
    this.#spareKeys = new Float64Array(size);
  }
}
