/** The selected answers of a record while its chain runs, in order. One object per worker, reset for each record. */
import { sortByKey } from "./sort.ts";

/** Maximum number of answers that filters may make for one query. */
export const mostAddresses = 256;

// An item: the number of the answer in the low bits, above it the number of a made address, from 1, or 0 for none.
const madeShift = 16;
const answerMask = (1 << madeShift) - 1;

/** The number of the answer in a saved item. */
export const answerOf = (item: number) => item & answerMask;

/** The most answers that a record with filters can have. */
export const mostAnswers = answerMask - 1;

export class Selection {
  /** Number of selected answers; their ranks are 0 to `count` - 1. */
  count = 0;
  /** Scratch memory of filters: a number for each rank, the key for `sort`. */
  keys = new Float64Array(0);
  /** Scratch memory of filters: a mark for each rank. */
  marks = new Uint8Array(0);
  /** Texts for the additional section, each the RDATA of a TXT record. */
  readonly texts: Uint8Array[] = [];
  #items = new Int32Array(0);
  #spareItems = new Int32Array(0);
  #spareKeys = new Float64Array(0);
  #made = 0;
  readonly #addresses = new Int32Array(mostAddresses + 1);

  /** Resets the selection to the answers 0 to `answers` - 1, in order. */
  begin(answers: number): void {
    if (this.keys.length < answers + mostAddresses) this.#grow(answers + mostAddresses);
    this.#made = 0;
    this.texts.length = 0;
    this.fill(answers);
  }

  /** Selects the answers 0 to `answers` - 1 in place of the current selection. */
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

  /** Copies the answer at one rank to another. To keep some answers, move each to the front, then `cut`. */
  move(from: number, to: number): void {
    this.#items[to] = this.#items[from]!;
  }

  swap(a: number, b: number): void {
    const items = this.#items;
    const item = items[a]!;
    items[a] = items[b]!;
    items[b] = item;
  }

  /** Whether a filter made any address. */
  get hasMade(): boolean {
    return this.#made > 0;
  }

  /** Whether filters have made the maximum number of addresses for this query. */
  get isFull(): boolean {
    return this.#made === mostAddresses;
  }

  /** Keeps only the first `count` answers. */
  cut(count: number): void {
    if (count < this.count) this.count = count;
  }

  /** Sorts by `keys`, lowest first and NaN last; answers with equal keys keep their order. */
  sort(): void {
    const { keys, count } = this;
    for (let i = 0; i < count; i++) if (Number.isNaN(keys[i]!)) keys[i] = Number.POSITIVE_INFINITY;
    sortByKey(this.#items, keys, count, this.#spareItems, this.#spareKeys);
  }

  /** Appends an item that was saved. */
  put(item: number): void {
    this.#items[this.count++] = item;
  }

  /** Appends an address (32 bits), with the metadata of an answer; false when there are too many. */
  putAddress(answer: number, address: number): boolean {
    if (this.isFull) return false;
    this.#addresses[++this.#made] = address;
    this.#items[this.count++] = answer | (this.#made << madeShift);
    return true;
  }

  /** Copies the selection to `items`, for `put` or `restore`; returns its count. */
  save(items: Int32Array): number {
    items.set(this.#items.subarray(0, this.count));
    return this.count;
  }

  /** Sets the selection to the first `count` of `items`. */
  restore(items: Int32Array, count: number): void {
    this.#items.set(items.subarray(0, count));
    this.count = count;
  }

  #grow(size: number): void {
    this.keys = new Float64Array(size);
    this.marks = new Uint8Array(size);
    this.#items = new Int32Array(size);
    this.#spareItems = new Int32Array(size);
    this.#spareKeys = new Float64Array(size);
  }
}
