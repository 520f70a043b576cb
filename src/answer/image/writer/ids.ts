/** Finds zone data by the zone's id in the store, in a table that copies of the image contain as well. */
import type { Blocks } from "../memory/blocks.ts";
import { dataId, dataIdOctets, emptySlot, slotAddress, slotWords, vacatedSlot } from "../memory/layout.ts";
import { octetAt } from "../memory/memory.ts";
import type { Table } from "../memory/table.ts";

export class ZoneIds {
  readonly #blocks: Blocks;
  readonly #table: Table;
  readonly #seed: number;

  constructor(blocks: Blocks, table: Table, seed: number) {
    this.#blocks = blocks;
    this.#table = table;
    this.#seed = seed;
  }

  get size(): number {
    return this.#table.taken;
  }

  /** Address of a zone's data. */
  get(id: string): number | undefined {
    const octets = encoder.encode(id);
    const hash = this.#hash(octets);
    const { slots } = this.#table;
    const mask = slots.length - 1;
    for (let slot = (hash << 1) & mask; ; slot = (slot + slotWords) & mask) {
      const data = slots[slot + slotAddress]!;
      if (data === emptySlot) return undefined;
      if (slots[slot] === hash && data !== vacatedSlot && this.#has(data, octets)) return data;
    }
  }

  /** Inserts zone data under an id that is not in the table yet. */
  insert(id: string, data: number): void {
    this.#table.insert(this.#hash(encoder.encode(id)), data);
  }

  remove(id: string, data: number): void {
    this.#table.vacate(this.#hash(encoder.encode(id)), data);
  }

  #has(data: number, id: Uint8Array): boolean {
    const { memory } = this.#blocks;
    if (memory.word(data, dataIdOctets) !== id.length) return false;
    const octets = memory.octetsOf(data);
    const at = octetAt(data) + dataId * 4;
    return id.every((octet, i) => octets[at + i] === octet);
  }

  #hash(octets: Uint8Array): number {
    let hash = this.#seed;
    for (const octet of octets) hash = Math.imul(hash ^ octet, 0x0100_0193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x85eb_ca6b);
    return hash ^ (hash >>> 13);
  }
}

const encoder = new TextEncoder();
