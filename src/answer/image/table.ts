/** The writer's side of a table: puts addresses in, takes them out, and grows into a new table when it is too full. */
import type { DirtyChunks } from "./dirty.ts";
import { emptySlot, slotAddress, slotWords, vacatedSlot } from "./layout.ts";
import { type MakeMemory, plainMemory } from "./memory.ts";

const firstSlots = 64;
/** A probe stays short while at most this share of the slots is not empty. */
const fullest = 0.6;

export interface TableState {
  readonly octets: number;
  readonly taken: number;
  readonly vacated: number;
}

export class Table {
  /** Counts up with each growth; the header says which number is in force. */
  number = 1;
  slots: Int32Array<SharedArrayBuffer>;
  /** While a copy is made. */
  dirty: DirtyChunks | undefined;
  #taken = 0;
  #vacated = 0;
  readonly #grown: () => void;
  readonly #make: MakeMemory;
  /** The region that this table is in copies of the image. */
  readonly #region: number;

  /** `grown` is called when `slots` is another array, complete, before anything is put into it. */
  constructor(grown: () => void, make = plainMemory, region = 0) {
    this.#region = region;
    this.#grown = grown;
    this.#make = make;
    this.slots = this.#slotsFor(firstSlots);
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
    if (this.#taken + this.#vacated >= (this.slots.length / slotWords) * fullest) this.#grow();
    const slot = freeSlot(this.slots, hash);
    if (this.slots[slot + slotAddress] === vacatedSlot) this.#vacated--;
    this.#taken++;
    this.slots[slot] = hash;
    this.#set(slot, address);
  }

  /** Puts an address in the place of `old`, which is here. */
  replace(hash: number, old: number, address: number): void {
    this.#set(this.#slotOf(hash, old), address);
  }

  /** Takes an address out; says whether it was here. */
  vacate(hash: number, address: number): boolean {
    const slot = this.#slotOf(hash, address);
    if (slot < 0) return false;
    this.#set(slot, vacatedSlot);
    this.#taken--;
    this.#vacated++;
    return true;
  }

  /** Readers on other cores must see the block before its address. */
  #set(slot: number, address: number): void {
    Atomics.store(this.slots, slot + slotAddress, address);
    this.dirty?.mark(this.#region, slot << 2, (slot + slotWords) << 2);
  }

  #slotOf(hash: number, address: number): number {
    const mask = this.slots.length - 1;
    for (let slot = (hash << 1) & mask; ; slot = (slot + slotWords) & mask) {
      const there = this.slots[slot + slotAddress]!;
      if (there === address) return slot;
      if (there === emptySlot) return -1;
    }
  }

  /** Readers inside the old table keep it; it stays right for the revision that they have pinned. */
  #grow(): void {
    const old = this.slots;
    const count = old.length / slotWords;
    const slots = this.#slotsFor(this.#taken > count * fullest * 0.5 ? count * 2 : count);
    for (let slot = 0; slot < old.length; slot += slotWords) {
      const address = old[slot + slotAddress]!;
      if (address === emptySlot || address === vacatedSlot) continue;
      const hash = old[slot]!;
      const free = freeSlot(slots, hash);
      slots[free] = hash;
      slots[free + slotAddress] = address;
    }
    this.#vacated = 0;
    this.slots = slots;
    this.number++;
    this.#grown();
  }

  #slotsFor(count: number): Int32Array<SharedArrayBuffer> {
    return new Int32Array(this.#make(count * slotWords * Int32Array.BYTES_PER_ELEMENT));
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
