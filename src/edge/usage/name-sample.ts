/** A sample of queries by zone, name and type: exact while they are few, otherwise one random query of each run of 2^n. */
import type { NameKey } from "../../answer/image/memory/key.ts";
import { Sample } from "./sample.ts";
import { type NameTable, nameHead, nameUnit, sampled, slotsUsed, slotWords, unitsUsed } from "./table.ts";

/** Queries in a sample; more would cost time and hardly be more exact. */
const mostSampled = 1 << 16;

/**
 * When the table is full, n grows and the sample is halved. So the count of a name in the sample, times 2^n, is on
 * average the number of its queries.
 */
export class NameSample extends Sample<NameTable> {
  /** Adds a query. Its name is `name` from `label` on, below a `*` when `wildcard` is 1. */
  add(zone: number, type: number, name: NameKey, label: number, wildcard: 0 | 1): void {
    // keyed, so that clients cannot choose two names that share a count
    const hash = name.folds[label]! ^ wildcard;
    const { slots, state } = this.table;
    const at = this.#find(zone, hash, type);
    if (slots[at + 3] === 0) {
      if (!this.#insert(zone, hash, type, name, label, wildcard)) return;
    } else slots[at + 3]!++;
    if (++state[sampled]! >= mostSampled) this.#thin();
  }

  /** Returns whether the query is in the sample, after the sample was halved to make room. */
  #insert(zone: number, hash: number, type: number, name: NameKey, label: number, wildcard: 0 | 1): boolean {
    const { slots, names, state } = this.table;
    const length = name.length - name.starts[label]!;
    const units = Math.ceil((nameHead + length) / nameUnit);
    const mostSlots = (slots.length / slotWords / 4) * 3;
    while (state[slotsUsed]! >= mostSlots || (state[unitsUsed]! + units) * nameUnit > names.length) {
      this.#thin();
      if (!this.isKept()) return false;
    }
    const to = state[unitsUsed]! * nameUnit;
    names[to] = length;
    names[to + 1] = wildcard;
    names.set(name.octets.subarray(name.starts[label]!, name.length), to + nameHead);
    this.#put(zone, hash, type, 1, units);
    return true;
  }

  /** The slot of a name and type, or the empty slot where they belong. */
  #find(zone: number, hash: number, type: number): number {
    const { slots } = this.table;
    const mask = slots.length - 1;
    for (let at = Math.imul(hash ^ zone ^ type, slotWords) & mask; ; at = (at + slotWords) & mask) {
      if (slots[at + 1] === hash && slots[at] === zone && slots[at + 2]! >>> 16 === type) return at;
      if (slots[at + 3] === 0) return at;
    }
  }

  /** Fills the slot of a name, which was written to the first free units. */
  #put(zone: number, hash: number, type: number, queries: number, units: number): void {
    const { slots, state } = this.table;
    const at = this.#find(zone, hash, type);
    slots[at] = zone;
    slots[at + 1] = hash;
    slots[at + 2] = (type << 16) | state[unitsUsed]!;
    slots[at + 3] = queries;
    state[slotsUsed]!++;
    state[unitsUsed]! += units;
  }

  /** Halves the sample. */
  #thin(): void {
    const { slots, names, state } = this.table;
    const before = slots.slice();
    const namesBefore = names.slice(0, state[unitsUsed]! * nameUnit);
    slots.fill(0);
    state[unitsUsed] = 0;
    this.beginHalf();
    for (let at = 0; at < before.length; at += slotWords) {
      const kept = this.half(before[at + 3]!);
      if (kept === 0) continue;
      const [zone, hash, type] = [before[at]!, before[at + 1]!, before[at + 2]! >>> 16];
      const from = (before[at + 2]! & 0xffff) * nameUnit;
      const units = Math.ceil((nameHead + namesBefore[from]!) / nameUnit);
      names.set(namesBefore.subarray(from, from + units * nameUnit), state[unitsUsed]! * nameUnit);
      state[sampled]! += kept;
      this.#put(zone, hash, type, kept, units);
    }
  }
}
