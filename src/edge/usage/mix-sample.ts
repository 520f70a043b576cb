/** A sample of queries by zone and kind: exact while they are few, otherwise one random query of each run of 2^n. */
import { Sample } from "./sample.ts";
import { kinds, type MixTable, mixSlots, mixWords, sampled, slotsUsed } from "./table.ts";

/** Queries in a sample, and zones and kinds in it. */
const mostSampled = 1 << 13;
const mostSlots = (mixSlots / 4) * 3;
/** Shifts a hash of 32 bits to the number of a slot. */
const toSlot = 32 - Math.log2(mixSlots);

export class MixSample extends Sample<MixTable> {
  add(zone: number, kind: number): void {
    const { slots, state } = this.table;
    while (slots[this.#find(zone, kind) + 2] === 0 && state[slotsUsed]! >= mostSlots) {
      this.#thin();
      if (!this.isKept()) return;
    }
    this.#put(zone, kind, 1);
    if (state[sampled]! >= mostSampled) this.#thin();
  }

  /** The slot of a zone and kind, or the empty slot where they belong. */
  #find(zone: number, kind: number): number {
    const { slots } = this.table;
    for (let slot = Math.imul(zone * kinds + kind, 0x9e3779b1) >>> toSlot; ; slot = (slot + 1) % mixSlots) {
      const at = slot * mixWords;
      if (slots[at + 2] === 0 || (slots[at] === zone && slots[at + 1] === kind)) return at;
    }
  }

  #put(zone: number, kind: number, queries: number): void {
    const { slots, state } = this.table;
    const at = this.#find(zone, kind);
    if (slots[at + 2] === 0) state[slotsUsed]!++;
    slots[at] = zone;
    slots[at + 1] = kind;
    slots[at + 2]! += queries;
    state[sampled]! += queries;
  }

  /** Halves the sample. */
  #thin(): void {
    const { slots } = this.table;
    const before = slots.slice();
    slots.fill(0);
    this.beginHalf();
    for (let at = 0; at < before.length; at += mixWords) {
      const kept = this.half(before[at + 2]!);
      if (kept > 0) this.#put(before[at]!, before[at + 1]!, kept);
    }
  }
}
