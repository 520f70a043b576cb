/** A hash table of addresses, as the writer sees it: inserts, removes, and moves to a table of another size. */
import type { DirtyChunks } from "./dirty.ts";
import { emptySlot, slotAddress, slotWords, vacatedSlot } from "./layout.ts";
import { plainMemory } from "./memory.ts";

const firstSlots = 64;
/** A probe stays short while at most this share of the slots is not empty. */
const fullest = 0.6;
/** At this share the move to another table begins, in steps. */
const crowded = 0.55;
/** A crowded table doubles if more than this share is taken. A table shrinks if less than half this share is taken. */
const roomy = 0.3;
/** Smaller tables are not worth a move. */
const small = 4096;

export interface TableState {
  readonly octets: number;
  readonly taken: number;
  readonly vacated: number;
}

interface Filling {
  readonly slots: Int32Array<SharedArrayBuffer>;
  /** Words of the old table that were moved. */
  moved: number;
  vacated: number;
}

export class Table {
  /** Increases with each move; the image's header has the number of the current table. */
  number = 1;
  slots: Int32Array<SharedArrayBuffer>;
  /** Written chunks; set while a copy is made. */
  dirty: DirtyChunks | undefined;
  #taken = 0;
  #vacated = 0;
  /** The next table during a move: insertions and removals apply to it as well. */
  #next: Filling | undefined;
  readonly #changed: (before: SharedArrayBuffer) => void;
  readonly #make: (octets: number) => SharedArrayBuffer;
  /** The region number of this table in copies of the image. */
  readonly #region: number;

  /** `changed` is called after each move, before any insertion into the new `slots`, with the memory of the old. */
  constructor(changed: (before: SharedArrayBuffer) => void, make = plainMemory, region = 0) {
    this.#region = region;
    this.#changed = changed;
    this.#make = make;
    this.slots = this.#slotsFor(firstSlots);
  }

  /** Number of addresses in the table. */
  get taken(): number {
    return this.#taken;
  }

  state(): TableState {
    return { octets: this.slots.byteLength, taken: this.#taken, vacated: this.#vacated };
  }

  /** Takes over another table, with its slots in `buffer`. */
  restore({ taken, vacated }: TableState, buffer: SharedArrayBuffer): void {
    this.slots = new Int32Array(buffer);
    this.#taken = taken;
    this.#vacated = vacated;
  }

  /** Inserts an address that is not in the table yet. */
  insert(hash: number, address: number): void {
    if (shareOf(this.slots, this.#taken, this.#vacated) >= fullest) while (this.tidy(this.slots.length));
    const slot = freeSlot(this.slots, hash);
    if (this.slots[slot + slotAddress] === vacatedSlot) this.#vacated--;
    this.#taken++;
    this.slots[slot] = hash;
    this.#set(slot, address);
    // the next table was sized for fewer addresses and may be too small now
    if (this.#next && shareOf(this.#next.slots, this.#taken, this.#next.vacated) >= fullest) this.#next = undefined;
    if (this.#next) put(this.#next, hash, address);
  }

  /** Replaces `old`, which must be in the table, with another address. */
  replace(hash: number, old: number, address: number): void {
    this.#set(slotOf(this.slots, hash, old), address);
    const there = this.#next ? slotOf(this.#next.slots, hash, old) : -1;
    if (there >= 0) this.#next!.slots[there + slotAddress] = address;
  }

  /** Removes an address; returns whether it was in the table. */
  vacate(hash: number, address: number): boolean {
    const slot = slotOf(this.slots, hash, address);
    if (slot < 0) return false;
    this.#set(slot, vacatedSlot);
    this.#taken--;
    this.#vacated++;
    const there = this.#next ? slotOf(this.#next.slots, hash, address) : -1;
    if (there >= 0) {
      this.#next!.slots[there + slotAddress] = vacatedSlot;
      this.#next!.vacated++;
    }
    return true;
  }

  /** Moves at most `slots` slots when the table needs another size; returns whether there is more to do. */
  tidy(slots: number): boolean {
    if (!this.#next) {
      const count = this.#wanted();
      if (count === 0) return false;
      this.#next = { slots: this.#slotsFor(count), moved: 0, vacated: 0 };
    }
    const { slots: old } = this;
    const next = this.#next;
    const end = Math.min(old.length, next.moved + slots * slotWords);
    for (let slot = next.moved; slot < end; slot += slotWords) {
      const address = old[slot + slotAddress]!;
      if (address === emptySlot || address === vacatedSlot) continue;
      if (slotOf(next.slots, old[slot]!, address) < 0) put(next, old[slot]!, address);
    }
    next.moved = end;
    if (end < old.length) return true;
    this.#take(next);
    return false;
  }

  /** Readers continue in the old table, which stays correct for their pinned revision. */
  #take({ slots, vacated }: Filling): void {
    const { buffer } = this.slots;
    this.#next = undefined;
    this.#vacated = vacated;
    this.slots = slots;
    this.number++;
    this.#changed(buffer);
  }

  /** Number of slots that the table should have; 0 when its size may stay. */
  #wanted(): number {
    const count = this.slots.length / slotWords;
    const share = shareOf(this.slots, this.#taken, this.#vacated);
    if (share >= crowded) return this.#taken > count * roomy ? count * 2 : count;
    let fitting = count;
    while (fitting > small && this.#taken < (fitting * roomy) / 2) fitting /= 2;
    return fitting === count ? 0 : fitting;
  }

  /** Readers on other cores must see the block before its address. */
  #set(slot: number, address: number): void {
    Atomics.store(this.slots, slot + slotAddress, address);
    this.dirty?.mark(this.#region, slot << 2, (slot + slotWords) << 2);
  }

  #slotsFor(count: number): Int32Array<SharedArrayBuffer> {
    return new Int32Array(this.#make(count * slotWords * Int32Array.BYTES_PER_ELEMENT));
  }
}

/** The share of slots that are not empty. */
const shareOf = (slots: Int32Array, taken: number, vacated: number) => (taken + vacated) / (slots.length / slotWords);

function put(table: Filling, hash: number, address: number): void {
  const slot = freeSlot(table.slots, hash);
  if (table.slots[slot + slotAddress] === vacatedSlot) table.vacated--;
  table.slots[slot] = hash;
  table.slots[slot + slotAddress] = address;
}

function slotOf(slots: Int32Array, hash: number, address: number): number {
  const mask = slots.length - 1;
  for (let slot = (hash << 1) & mask; ; slot = (slot + slotWords) & mask) {
    const there = slots[slot + slotAddress]!;
    if (there === address) return slot;
    if (there === emptySlot) return -1;
  }
}

function freeSlot(slots: Int32Array, hash: number): number {
  const mask = slots.length - 1;
  let slot = (hash << 1) & mask;
  for (; ; slot = (slot + slotWords) & mask) {
    const address = slots[slot + slotAddress];
    if (address === emptySlot || address === vacatedSlot) return slot;
  }
}
