/** The main thread's side of a worker's counts of one image. */

import { typeCoded } from "../../dns/type-names.ts";
import { nameToApi } from "../../dns/wire/name.ts";
import {
  halvings,
  type MixTable,
  mixWords,
  type NameTable,
  nameHead,
  nameUnit,
  slotsUsed,
  slotWords,
  type UsageShare,
  type UsageTable,
} from "./table.ts";

/** Receives the counts: every query by zone, and samples. */
export interface UsageSink {
  zone(zone: number, queries: number): void;
  record(zone: number, domain: string, type: string, queries: number): void;
  /** Queries for a name that does not exist, of which the sample has `sampled`. */
  missing(zone: number, domain: string, queries: number, sampled: number): void;
  mix(zone: number, kind: number, queries: number): void;
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

function empty({ zones: counts, uncounted, records, missing, mix }: UsageTable, zones: number, sink: UsageSink) {
  const most = Math.min(zones, counts.length);
  for (let zone = 0; zone < most; zone++) {
    const queries = counts[zone]! >>> 0;
    if (queries === 0) continue;
    sink.zone(zone, queries);
    counts[zone] = 0;
  }
  emptyNames(records, (zone, domain, type, queries) => sink.record(zone, domain, typeCoded(type).name, queries));
  emptyNames(missing, (zone, domain, _, queries, sampled) => sink.missing(zone, domain, queries, sampled));
  emptyMix(mix, sink);
  const lost = uncounted[0]!;
  uncounted[0] = 0;
  return lost;
}

type EachName = (zone: number, domain: string, type: number, queries: number, sampled: number) => void;

function emptyNames({ slots, names, state }: NameTable, each: EachName): void {
  if (state[slotsUsed]! > 0) {
    for (let at = 0; at < slots.length; at += slotWords) {
      const sampled = slots[at + 3]!;
      if (sampled === 0) continue;
      const owner = ownerAt(names, (slots[at + 2]! & 0xffff) * nameUnit);
      each(slots[at]!, owner, slots[at + 2]! >>> 16, sampled * 2 ** state[halvings]!, sampled);
    }
    slots.fill(0);
  }
  state.fill(0);
}

function emptyMix({ slots, state }: MixTable, sink: UsageSink): void {
  if (state[slotsUsed]! > 0) {
    for (let at = 0; at < slots.length; at += mixWords) {
      const sampled = slots[at + 2]!;
      if (sampled > 0) sink.mix(slots[at]!, slots[at + 1]!, sampled * 2 ** state[halvings]!);
    }
    slots.fill(0);
  }
  state.fill(0);
}

const asterisk = 42;

function ownerAt(names: Uint8Array, from: number): string {
  const name = names.slice(from + nameHead, from + nameHead + names[from]!);
  return nameToApi(names[from + 1] === 1 ? Uint8Array.of(1, asterisk, ...name) : name);
}
