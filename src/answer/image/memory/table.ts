/** The writer's side of a table: puts addresses in, takes them out, and moves into another table when its size is wrong. */
import type { DirtyChunks } from "./dirty.ts";
import { emptySlot, slotAddress, slotWords, vacatedSlot } from "./layout.ts";
import { plainMemory } from "./memory.ts";

const firstSlots = 64;
/** A probe stays short while at most this share of the slots is not empty. */
const fullest = 0.6;
/** From this share on it is time to move, a part at a time. */
const crowded = 0.55;
/** So much is taken at least after a move; with less than half of it a smaller table does. */
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
  /** Words of the table before that were moved. */
  moved: number;
  vacated: number;
}

export class Table {
  /** Counts up with each move; the header says which number is in force. */
  number = 1;
  slots: Int32Array<SharedArrayBuffer>;
  /** While a copy is made. */
  dirty: DirtyChunks | undefined;
  #taken = 0;
  #vacated = 0;
  /** The next table: it gets what is put in and taken out meanwhile as well. */
  #next: Filling | undefined;
  readonly #changed: (before: SharedArrayBuffer) => void;
  readonly #make: (octets: number) => SharedArrayBuffer;
  /** The region that this table is in copies of the image. */
  readonly #region: number;

  /** `changed` is called when `slots` is another array, complete, before anything is put into it. */
  constructor(changed: (before: SharedArrayBuffer) => void, make = plainMemory, region = 0) {
    this.#region = region;
    this.#changed = changed;
    this.#make = make;
    this.slots = this.#slotsFor(firstSlots);
  }

  /** How many addresses are in it. */
  get taken(): number {
    return this.#taken;
  }

  state(): TableState {
    return { octets: this.slots.byteLength, taken: this.#taken, vacated: this.#vacated };
  }

  /** Takes over another table, whose slots are here as `buffer`. */
  restore({ taken, vacated }: TableState, buffer: SharedArrayBuffer): void {
    this.slots = new Int32Array(buffer);
    this.#taken = taken;
    this.#vacated = vacated;
  }

  /** Puts in an address that is not here yet. */
  insert(hash: number, address: number): void {
    if (this.#share() >= fullest) while (this.tidy(this.slots.length));
    const slot = freeSlot(this.slots, hash);
    if (this.slots[slot + slotAddress] === vacatedSlot) this.#vacated--;
    this.#taken++;
    this.slots[slot] = hash;
    this.#set(slot, address);
    // one that was made when there was less in it may be too small now
    if (this.#next && shareOf(this.#next.slots, this.#taken, this.#next.vacated) >= fullest) this.#next = undefined;
    if (this.#next) put(this.#next, hash, address);
  }

  /** Puts an address in the place of `old`, which is here. */
  replace(hash: number, old: number, address: number): void {
    this.#set(slotOf(this.slots, hash, old), address);
    const there = this.#next ? slotOf(this.#next.slots, hash, old) : -1;
    if (there >= 0) this.#next!.slots[there + slotAddress] = address;
  }

  /** Takes an address out; says whether it was here. */
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

  /** Moves so many slots when the table has the wrong size; says whether there is more to do. */
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

  /** Readers inside the old table keep it; it stays right for the revision that they have pinned. */
  #take({ slots, vacated }: Filling): void {
    const { buffer } = this.slots;
    this.#next = undefined;
    this.#vacated = vacated;
    this.slots = slots;
    this.number++;
    this.#changed(buffer);
  }

  /** Slots that the table should have; 0 when it may stay as it is. */
  #wanted(): number {
    const count = this.slots.length / slotWords;
    if (this.#share() >= crowded) return this.#taken > count * roomy ? count * 2 : count;
    let fitting = count;
    while (fitting > small && this.#taken < (fitting * roomy) / 2) fitting /= 2;
    return fitting === count ? 0 : fitting;
  }

  #share(): number {
    return shareOf(this.slots, this.#taken, this.#vacated);
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

/** Of slots that are not empty. */
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
