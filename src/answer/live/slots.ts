/** The hash table of cells, for its writer: open addressing without gaps, so that a look-up ends at an empty slot. */
import { GrowingMemory } from "./growing.ts";
import { cellHash, cellWords, emptySlot, firstSlots, headerSlots, indexMask } from "./layout.ts";

const fullest = 0.5;

export class Slots {
  readonly memory: GrowingMemory;
  readonly #cells: GrowingMemory;
  #taken = 0;

  /** `most`: maximum number of cells. */
  constructor(cells: GrowingMemory, most: number) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(firstSlots, most / fullest)));
    this.memory = GrowingMemory.create(firstSlots * 2 * 4, size * 2 * 4);
    this.#cells = cells;
    this.#use(firstSlots);
  }

  /** Inserts the handle of a cell that is not in the table yet. */
  insert(handle: number): void {
    const size = this.#size();
    if (this.#taken + 1 > size * fullest) this.#grow(size);
    this.#put(this.#size(), handle);
    this.#taken++;
  }

  /**
   * Removes a cell, which must be in the table, and moves later cells into the gap. A reader that misses a cell during the
   * move looks again, since the generation changes afterwards.
   */
  remove(handle: number): void {
    const size = this.#size();
    const { words } = this.memory;
    const mask = size - 1;
    let gap = this.#home(handle) & mask;
    while (words[size + gap] !== handle) gap = (gap + 1) & mask;
    for (let next = (gap + 1) & mask; ; next = (next + 1) & mask) {
      const moved = words[size + next]!;
      if (moved === emptySlot) break;
      // a cell may move unless its home slot is between the gap and its current slot
      if (((next - this.#home(moved)) & mask) < ((next - gap) & mask)) continue;
      Atomics.store(words, size + gap, moved);
      gap = next;
    }
    Atomics.store(words, size + gap, emptySlot);
    this.#taken--;
  }

  #put(size: number, handle: number): void {
    const { words } = this.memory;
    const mask = size - 1;
    let slot = this.#home(handle) & mask;
    while (words[size + slot] !== emptySlot) slot = (slot + 1) & mask;
    // readers on other cores must see the cell before its handle
    Atomics.store(words, size + slot, handle);
  }

  /** Puts the larger table after the old table, which stays unchanged for readers that are still in it. */
  #grow(size: number): void {
    this.memory.reserve(size * 4 * 4);
    for (const handle of this.memory.words.subarray(size, size * 2)) {
      if (handle !== emptySlot) this.#put(size * 2, handle);
    }
    this.#use(size * 2);
  }

  #home(handle: number): number {
    return this.#cells.words[(handle & indexMask) * cellWords + cellHash]!;
  }

  #size(): number {
    return this.#cells.words[headerSlots]!;
  }

  #use(size: number): void {
    Atomics.store(this.#cells.words, headerSlots, size);
  }
}
