/** Reads values of feeds from the live table, in any thread, for chains that have looked up the cells. */
import { RecentCache } from "../model/recent-cache.ts";
import { GrowingMemory } from "./growing.ts";
import {
  cellHash,
  cellNameAt,
  cellNameOctets,
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
  emptySlot,
  hashName,
  headerFormat,
  headerGeneration,
  headerSlots,
  indexBits,
  indexMask,
  liveTableFormat,
  mostNameOctets,
  writeName,
} from "./layout.ts";
import type { LiveShare } from "./share.ts";

/** A value that was parsed from one version of its cell. */
interface Parsed {
  readonly version: number;
  /** The word of the text: `copyValue` or `copyFallback`. */
  readonly which: number;
  readonly value: unknown;
  readonly octets: number;
}

const parsedOctets = 8 << 20;
/** Approximate octets of a parsed value besides its text. */
const parsedOverhead = 512;
const decoder = new TextDecoder();

export class LiveReader {
  /** Unix milliseconds, set for each query: values that have expired by then are ignored. */
  now = 0;
  readonly #cells: GrowingMemory;
  readonly #slots: GrowingMemory;
  readonly #texts: GrowingMemory;
  readonly #parsed = new RecentCache<Parsed>(parsedOctets);
  readonly #name = new Uint8Array(mostNameOctets);

  constructor({ cells, slots, texts }: LiveShare) {
    this.#cells = new GrowingMemory(cells);
    this.#slots = new GrowingMemory(slots);
    this.#texts = new GrowingMemory(texts);
    const format = this.#cells.words[headerFormat]!;
    if (format !== liveTableFormat) throw new Error(`the live table has format ${format}, not ${liveTableFormat}`);
  }

  /**
   * Changes when cells are added or removed: earlier look-ups must then be repeated. Read it before the look-ups, not
   * after them.
   */
  get generation(): number {
    return Atomics.load(this.#cells.words, headerGeneration);
  }

  /**
   * The cell of a feed's key, valid until the generation changes; -1 if the feed does not contain the key. A removed cell
   * reads as unset, even if another feed has its memory.
   */
  cell(feedId: string, key: string): number {
    const length = writeName(feedId, key, this.#name);
    if (length === 0) return -1;
    const hash = hashName(this.#name, length);
    const size = Atomics.load(this.#cells.words, headerSlots);
    this.#slots.refresh();
    const mask = size - 1;
    for (let slot = hash & mask, left = size; left > 0; slot = (slot + 1) & mask, left--) {
      const handle = Atomics.load(this.#slots.words, size + slot);
      if (handle === emptySlot) return -1;
      if (this.#isNamed(handle, hash, length)) return handle;
    }
    return -1;
  }

  /** The value as `numberOf` reads it; NaN when unset. */
  number(cell: number): number {
    return this.#double(cell, copyNumber, copyFallbackNumber);
  }

  /** Unix milliseconds of the push of the feed's data; NaN without a push. */
  pushedAt(cell: number): number {
    return this.#double(cell, copyAt, copyAt);
  }

  /** Unix milliseconds of the last change of the value that this edge has seen; NaN when no value was pushed. */
  changedAt(cell: number): number {
    const until = this.#double(cell, copyUntil, copyUntil);
    if (this.now < until) return this.#double(cell, copyChanged, copyChanged);
    return Number.isFinite(until) ? until : Number.NaN;
  }

  /** The value as pushed, undefined when unset: the same object until the cell changes, so it must not be modified. */
  value(cell: number): unknown {
    if (cell < 0) return undefined;
    const { words, doubles } = this.#cells;
    const index = cell & indexMask;
    const at = index * cellWords;
    for (;;) {
      const version = Atomics.load(words, at + cellVersion);
      if (words[at + cellReuses] !== cell >>> indexBits) return undefined;
      const copy = copyDoubleAt(index, version);
      const which = this.now < doubles[copy + copyUntil]! ? copyValue : copyFallback;
      const known = this.#parsed.find(cell);
      if (known?.version === version && known.which === which) return known.value;
      const octets = this.#text(at, version, copyTextAt(copy) + which);
      if (!octets) continue;
      const value: unknown = octets.length === 0 ? undefined : JSON.parse(decoder.decode(octets));
      this.#parsed.keep(cell, { version, which, value, octets: octets.length + parsedOverhead });
      return value;
    }
  }

  /**
   * One of two doubles of the current copy: `otherwise` if there is no value, or the value has expired. It is read without
   * Atomics, each of which costs as much as all the rest: an aligned double is never torn, its address depends on the
   * version read before it, and the handle and the version are checked after it.
   */
  #double(cell: number, ofValue: number, otherwise: number): number {
    if (cell < 0) return Number.NaN;
    const { words, doubles } = this.#cells;
    const index = cell & indexMask;
    const at = index * cellWords;
    for (;;) {
      const version = words[at + cellVersion]!;
      const copy = copyDoubleAt(index, version);
      const double = doubles[copy + (this.now < doubles[copy + copyUntil]! ? ofValue : otherwise)]!;
      if (words[at + cellReuses] !== cell >>> indexBits) return Number.NaN;
      // with another version, the copy may have been overwritten
      if (words[at + cellVersion] === version) return double;
    }
  }

  /** A copy of a text; undefined when the cell's version has changed. */
  #text(at: number, version: number, word: number): Uint8Array | undefined {
    const { words } = this.#cells;
    const from = words[word]!;
    const length = words[word + 1]!;
    if (Atomics.load(words, at + cellVersion) !== version) return undefined;
    this.#texts.refresh();
    const octets = this.#texts.octets.slice(from, from + length);
    return Atomics.load(words, at + cellVersion) === version ? octets : undefined;
  }

  #isNamed(handle: number, hash: number, length: number): boolean {
    const at = (handle & indexMask) * cellWords;
    this.#cells.refresh();
    this.#texts.refresh();
    const { words } = this.#cells;
    if (words[at + cellHash] !== hash || words[at + cellNameOctets] !== length) return false;
    const { octets } = this.#texts;
    const from = words[at + cellNameAt]!;
    for (let i = 0; i < length; i++) if (octets[from + i] !== this.#name[i]) return false;
    return Atomics.load(words, at + cellReuses) === handle >>> indexBits;
  }
}
