/** A worker's side of the counts: exact by zone; by record exact while records are few, otherwise a sample. */
import type { NameKey } from "../../answer/image/memory/key.ts";
import type { Found } from "../../answer/lookup/lookup.ts";
import type { Random } from "../../lib/random.ts";
import {
  halvings,
  mostZones,
  nameHead,
  nameUnit,
  slotsUsed,
  slotWords,
  type UsageShare,
  type UsageTable,
  uncounted,
  unitsUsed,
} from "./table.ts";

/**
 * The sample contains one random query of each run of 2^n queries. When the table is full, n grows and the sample is
 * halved. So the count of a record in the sample, times 2^n, is on average the number of its queries.
 */
export class UsageWriter {
  readonly #share: UsageShare;
  readonly #random: Random;
  #epoch: number;
  #table: UsageTable;
  /** Queries in a run, one of which is in the sample. */
  #run: number;
  /** Queries up to and including the next one to be sampled. */
  #left = 1;
  /** Queries that follow that one in its run. */
  #rest = 0;

  constructor(share: UsageShare, random: Random) {
    this.#share = share;
    this.#random = random;
    this.#epoch = Atomics.load(share.epoch, 0);
    this.#table = share.tables[this.#epoch & 1]!;
    this.#run = 2 ** this.#table.state[halvings]!;
  }

  /** Must be called before each batch, after the worker has marked itself busy: the reader waits for that mark. */
  begin(): void {
    const epoch = Atomics.load(this.#share.epoch, 0);
    if (epoch === this.#epoch) return;
    this.#epoch = epoch;
    this.#table = this.#share.tables[epoch & 1]!;
    this.#run = 1;
    this.#left = 1;
    this.#rest = 0;
  }

  /** Counts a query that was looked up in the zone with this number. */
  count(zone: number, found: Found, name: NameKey): void {
    if (zone >= mostZones) this.#table.state[uncounted]!++;
    else {
      this.#table.zones[zone]!++;
      if (--this.#left === 0) this.#sample(zone, found, name);
    }
  }

  #sample(zone: number, found: Found, name: NameKey): void {
    this.#chooseNext();
    switch (found.state) {
      case "expired":
      case "refused":
      case "shut":
      case "nxdomain":
      case "nodata":
      case "any":
        return;
      case "delegation":
      case "dname":
        this.#add(zone, found, name, found.label);
        return;
      default:
        this.#add(zone, found, name, found.wildcard ? found.encloser : 0);
    }
  }

  #chooseNext(): void {
    const run = this.#run;
    const next = run === 1 ? 0 : Math.floor(this.#random() * run);
    this.#left = this.#rest + next + 1;
    this.#rest = run - 1 - next;
  }

  /** The record's name is `name` from `label` on, below a `*` when a wildcard answered. */
  #add(zone: number, found: Found, name: NameKey, label: number): void {
    const wildcard = found.wildcard ? 1 : 0;
    const { type } = found.rrset;
    // keyed, so that clients cannot choose two names that share a count
    const hash = name.folds[label]! ^ wildcard;
    const { slots } = this.#table;
    const at = this.#find(zone, hash, type);
    if (slots[at + 3] === 0) this.#insert(zone, hash, type, name, label, wildcard);
    else slots[at + 3]!++;
  }

  #insert(zone: number, hash: number, type: number, name: NameKey, label: number, wildcard: number): void {
    const { slots, names, state } = this.#table;
    const length = name.length - name.starts[label]!;
    const units = Math.ceil((nameHead + length) / nameUnit);
    const mostSlots = (slots.length / slotWords / 4) * 3;
    while (state[slotsUsed]! >= mostSlots || (state[unitsUsed]! + units) * nameUnit > names.length) {
      this.#thin();
      if (this.#random() < 1 / 2) return;
    }
    const to = state[unitsUsed]! * nameUnit;
    names[to] = length;
    names[to + 1] = wildcard;
    names.set(name.octets.subarray(name.starts[label]!, name.length), to + nameHead);
    this.#put(zone, hash, type, 1, units);
  }

  /** The slot of a record, or the empty slot where the record belongs. */
  #find(zone: number, hash: number, type: number): number {
    const { slots } = this.#table;
    const mask = slots.length - 1;
    for (let at = Math.imul(hash ^ zone ^ type, slotWords) & mask; ; at = (at + slotWords) & mask) {
      if (slots[at + 1] === hash && slots[at] === zone && slots[at + 2]! >>> 16 === type) return at;
      if (slots[at + 3] === 0) return at;
    }
  }

  /** Fills the slot of a record, whose name was written to the first free units. */
  #put(zone: number, hash: number, type: number, queries: number, units: number): void {
    const { slots, state } = this.#table;
    const at = this.#find(zone, hash, type);
    slots[at] = zone;
    slots[at + 1] = hash;
    slots[at + 2] = (type << 16) | state[unitsUsed]!;
    slots[at + 3] = queries;
    state[slotsUsed]!++;
    state[unitsUsed]! += units;
  }

  /** Halves the sample; an odd query is kept at random. */
  #thin(): void {
    const { slots, names, state } = this.#table;
    const before = slots.slice();
    const namesBefore = names.slice(0, state[unitsUsed]! * nameUnit);
    slots.fill(0);
    state[slotsUsed] = 0;
    state[unitsUsed] = 0;
    state[halvings]!++;
    this.#run *= 2;
    for (let at = 0; at < before.length; at += slotWords) {
      const queries = before[at + 3]!;
      const kept = (queries >>> 1) + (queries % 2 === 1 && this.#random() < 1 / 2 ? 1 : 0);
      if (kept === 0) continue;
      const [zone, hash, type] = [before[at]!, before[at + 1]!, before[at + 2]! >>> 16];
      const from = (before[at + 2]! & 0xffff) * nameUnit;
      const units = Math.ceil((nameHead + namesBefore[from]!) / nameUnit);
      names.set(namesBefore.subarray(from, from + units * nameUnit), state[unitsUsed]! * nameUnit);
      this.#put(zone, hash, type, kept, units);
    }
  }
}
