/** The main thread's side of a worker's counts of one image. */

import { typeCoded } from "../../dns/type-names.ts";
import { nameToApi } from "../../dns/wire/name.ts";
import {
  halvings,
  nameHead,
  nameUnit,
  slotsUsed,
  slotWords,
  type UsageShare,
  type UsageTable,
  uncounted,
} from "./table.ts";

/** Receives the counts: every query by zone, and a sample by record. */
export interface UsageSink {
  zone(zone: number, queries: number): void;
  record(zone: number, domain: string, type: string, queries: number): void;
}

export class UsageReader {
  readonly #share: UsageShare;
  readonly #progress: Int32Array;
  /** The worker's `progress` when the tables were swapped. */
  #swappedAt = 0;

  /** Word 0 of `progress` is odd while the worker answers a batch, and different for each batch. */
  constructor(share: UsageShare, progress: Int32Array) {
    this.#share = share;
    this.#progress = progress;
  }

  /** Makes the worker fill the other, empty table from its next batch on. */
  swap(): void {
    Atomics.add(this.#share.epoch, 0, 1);
    // loaded after the epoch is stored: a batch that begins later sees the new epoch
    this.#swappedAt = Atomics.load(this.#progress, 0);
  }

  /** Whether no batch can still write to the table that was in use before the last swap. */
  hasPassed(): boolean {
    return this.#swappedAt % 2 === 0 || Atomics.load(this.#progress, 0) !== this.#swappedAt;
  }

  /** Passes on the counts up to the last swap, and empties that table; returns the queries that were not counted. */
  read(zones: number, sink: UsageSink): number {
    return empty(this.#share.tables[(Atomics.load(this.#share.epoch, 0) + 1) & 1]!, zones, sink);
  }
}

function empty({ zones: counts, slots, names, state }: UsageTable, zones: number, sink: UsageSink): number {
  const most = Math.min(zones, counts.length);
  for (let zone = 0; zone < most; zone++) {
    const queries = counts[zone]! >>> 0;
    if (queries === 0) continue;
    sink.zone(zone, queries);
    counts[zone] = 0;
  }
  const lost = state[uncounted]!;
  if (state[slotsUsed]! > 0) {
    for (let at = 0; at < slots.length; at += slotWords) {
      if (slots[at + 3] === 0) continue;
      const type = typeCoded(slots[at + 2]! >>> 16).name;
      const owner = ownerAt(names, (slots[at + 2]! & 0xffff) * nameUnit);
      sink.record(slots[at]!, owner, type, slots[at + 3]! * 2 ** state[halvings]!);
    }
    slots.fill(0);
  }
  state.fill(0);
  return lost;
}

const asterisk = 42;

function ownerAt(names: Uint8Array, from: number): string {
  const name = names.slice(from + nameHead, from + nameHead + names[from]!);
  return nameToApi(names[from + 1] === 1 ? Uint8Array.of(1, asterisk, ...name) : name);
}
