/** The cells of the live table, for its writer: adds, writes, removes and reuses them in an order safe for readers. */
import { GrowingMemory } from "./growing.ts";
import {
  cellHash,
  cellNameAt,
  cellNameOctets,
  cellOctets,
  cellReuses,
  cellVersion,
  cellWords,
  copyAt,
  copyChanged,
  copyDoubleAt,
  copyFallback,
  copyFallbackNumber,
  copyNumber,
  copyTextAt,
  copyUntil,
  copyValue,
  hashName,
  headerFormat,
  headerGeneration,
  indexBits,
  indexMask,
  liveTableFormat,
  mostNameOctets,
  mostValueOctets,
  reuseMask,
  writeName,
} from "./layout.ts";
import { numberOf } from "./number.ts";
import type { LiveShare } from "./share.ts";
import { Slots } from "./slots.ts";
import { Texts } from "./texts.ts";

/** The contents of a cell. Undefined values are unset. */
export interface CellContents {
  readonly value: unknown;
  readonly fallback: unknown;
  readonly at: number;
  readonly until: number;
}

const unset: CellContents = {
  value: undefined,
  fallback: undefined,
  at: Number.NaN,
  until: Number.NEGATIVE_INFINITY,
};
/** A former text of this size stays until the next write: a reader may be reading it. */
const smallTextOctets = 64;
const encoder = new TextEncoder();

export class Cells {
  /** Number of cells in use. */
  count = 0;
  readonly #memory: GrowingMemory;
  readonly #slots: Slots;
  readonly #texts: Texts;
  /** Indexes of removed cells, reused roughly in the order of their removal. */
  #free: number[] = [];
  #freed: number[] = [];
  #end = 1;
  #changed = false;
  readonly #name = new Uint8Array(mostNameOctets);

  constructor(most: number, textOctets: number) {
    this.#memory = GrowingMemory.create(cellOctets * 64, cellOctets * (most + 1));
    this.#slots = new Slots(this.#memory, most);
    this.#texts = new Texts(textOctets);
    this.#memory.words[headerFormat] = liveTableFormat;
  }

  share(): LiveShare {
    return { cells: this.#memory.buffer, slots: this.#slots.memory.buffer, texts: this.#texts.memory.buffer };
  }

  stats() {
    const octets = [this.#memory, this.#slots.memory, this.#texts.memory].map(({ buffer }) => buffer.byteLength);
    return { values: this.count, octets: octets.reduce((sum, size) => sum + size) };
  }

  /** Adds a cell without contents; returns its handle, or 0 if its name is too long or the memory is full. */
  add(feedId: string, key: string): number {
    const length = writeName(feedId, key, this.#name);
    if (length === 0) return 0;
    const at = this.#texts.allocate(length);
    if (at < 0) return 0;
    const index = this.#take();
    if (index === 0) {
      this.#texts.free(at, length);
      return 0;
    }
    this.#texts.memory.octets.set(this.#name.subarray(0, length), at);
    const { words } = this.#memory;
    const cell = index * cellWords;
    words[cell + cellHash] = hashName(this.#name, length);
    words[cell + cellNameAt] = at;
    words[cell + cellNameOctets] = length;
    if (words[cell + cellReuses] === 0) words[cell + cellReuses] = 1;
    const handle = index | (words[cell + cellReuses]! << indexBits);
    this.write(handle, unset);
    this.#slots.insert(handle);
    this.count++;
    this.#changed = true;
    return handle;
  }

  /** Returns how many of the two values were left out, because they are too long or the memory is full. */
  write(handle: number, contents: CellContents): number {
    const refused = this.#writeCopy(handle, contents);
    // the former copy would keep its much larger texts until the next write
    if (this.#isShrunk(handle)) this.#writeCopy(handle, contents);
    return refused;
  }

  #isShrunk(handle: number): boolean {
    const { words } = this.#memory;
    const index = handle & indexMask;
    const version = words[index * cellWords + cellVersion]!;
    const [now, former] = [version, version + 1].map((each) => copyTextAt(copyDoubleAt(index, each)));
    return [copyValue, copyFallback].some((text) => {
      const before = words[former! + text + 1]!;
      return before > smallTextOctets && before > 2 * words[now! + text + 1]!;
    });
  }

  #writeCopy(handle: number, { value, fallback, at, until }: CellContents): number {
    const { words, doubles } = this.#memory;
    const index = handle & indexMask;
    const before = words[index * cellWords + cellVersion]!;
    const version = (before + 1) | 0;
    const copy = copyDoubleAt(index, version);
    const former = copyDoubleAt(index, before);
    const hasValue = this.#writeText(copyTextAt(copy) + copyValue, value);
    const isConfirmed =
      at <= doubles[former + copyUntil]! &&
      this.#sameText(copyTextAt(former) + copyValue, copyTextAt(copy) + copyValue);
    const hasFallback = this.#writeText(copyTextAt(copy) + copyFallback, fallback);
    doubles[copy + copyNumber] = hasValue ? numberOf(value) : Number.NaN;
    doubles[copy + copyFallbackNumber] = hasFallback ? numberOf(fallback) : Number.NaN;
    doubles[copy + copyAt] = at;
    doubles[copy + copyUntil] = hasValue ? until : Number.NEGATIVE_INFINITY;
    doubles[copy + copyChanged] = isConfirmed ? doubles[former + copyChanged]! : hasValue ? at : Number.NaN;
    Atomics.store(words, index * cellWords + cellVersion, version);
    return Number(value !== undefined && !hasValue) + Number(fallback !== undefined && !hasFallback);
  }

  /** Removes a cell: existing handles then read it as unset. */
  remove(handle: number): void {
    const { words } = this.#memory;
    const index = handle & indexMask;
    const cell = index * cellWords;
    this.#slots.remove(handle);
    // never 0, which means a cell that was never used
    Atomics.store(words, cell + cellReuses, ((words[cell + cellReuses]! & reuseMask) % reuseMask) + 1);
    // by two: the copies keep their roles, and a concurrent reader notices the change
    Atomics.add(words, cell + cellVersion, 2);
    for (const version of [0, 1]) {
      const texts = copyTextAt(copyDoubleAt(index, version));
      this.#writeText(texts + copyValue, undefined);
      this.#writeText(texts + copyFallback, undefined);
    }
    this.#texts.free(words[cell + cellNameAt]!, words[cell + cellNameOctets]!);
    this.#freed.push(index);
    this.count--;
    this.#changed = true;
  }

  /** Makes readers repeat their look-ups if cells were added or removed since the last call. */
  publish(): void {
    if (!this.#changed) return;
    this.#changed = false;
    Atomics.add(this.#memory.words, headerGeneration, 1);
  }

  #take(): number {
    if (this.#free.length === 0) {
      this.#free = this.#freed.reverse();
      this.#freed = [];
    }
    const reused = this.#free.pop();
    if (reused !== undefined) return reused;
    if (!this.#memory.reserve((this.#end + 1) * cellOctets)) return 0;
    return this.#end++;
  }

  #sameText(one: number, other: number): boolean {
    const { words } = this.#memory;
    const { octets } = this.#texts.memory;
    const length = words[one + 1]!;
    if (length !== words[other + 1]!) return false;
    for (let i = 0; i < length; i++) if (octets[words[one]! + i] !== octets[words[other]! + i]) return false;
    return true;
  }

  /** Replaces a text of a copy with the value's JSON; returns whether the copy has a text now. */
  #writeText(word: number, value: unknown): boolean {
    const { words } = this.#memory;
    const before = words[word + 1]!;
    if (before > 0) this.#texts.free(words[word]!, before);
    words[word + 1] = 0;
    if (value === undefined) return false;
    const octets = encoder.encode(JSON.stringify(value));
    if (octets.length > mostValueOctets) return false;
    const at = this.#texts.allocate(octets.length);
    if (at < 0) return false;
    this.#texts.memory.octets.set(octets, at);
    words[word] = at;
    words[word + 1] = octets.length;
    return true;
  }
}
