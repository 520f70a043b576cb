/** What a worker was asked, by zone and record: tables of fixed size in shared memory, one is filled while one is read. */
import type { NameKey } from "../answer/image/key.ts";
import type { Found } from "../answer/lookup.ts";
import type { Count } from "../answer/workspace.ts";
import { nameToApi } from "../dns/name.ts";
import { typeCoded } from "../dns/types.ts";
import type { UsageRow } from "../sync/usage.ts";

/** A slot: zone entry, node (0 for the zone), type and place of the name, queries. An entry of 0 is an empty slot. */
const slotWords = 4;
const slots = 1 << 15;
/** A record is looked for in as many slots as lie in one line of a cache: a table that is full costs no more. */
const bucketSlots = 4;
/** A zone is looked for further on, as its count is the last resort of its records. */
const zoneSlots = 256;
/** Records take no more, so that their zones still find room. */
const mostRecords = (slots / 4) * 3;
const mostUsed = (slots / 8) * 7;
/** Names begin at multiples of so many octets; two octets say at which. */
const nameUnit = 16;
const nameUnits = 1 << 16;
/** Before a name: its length, where in it the zone's begins, and 1 when a `*` belongs before it. */
const head = 3;

export interface UsageShare {
  /** Word 0: which table is filled. */
  readonly turn: Int32Array<SharedArrayBuffer>;
  readonly tables: readonly [UsageTableShare, UsageTableShare];
}

interface UsageTableShare {
  readonly words: Int32Array<SharedArrayBuffer>;
  readonly names: Uint8Array<SharedArrayBuffer>;
  /** Slots used, units of names used, queries for which there was no room. */
  readonly used: Int32Array<SharedArrayBuffer>;
}

export function makeUsage(): UsageShare {
  const table = () => ({
    words: new Int32Array(new SharedArrayBuffer(slots * slotWords * Int32Array.BYTES_PER_ELEMENT)),
    names: new Uint8Array(new SharedArrayBuffer(nameUnits * nameUnit)),
    used: new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT)),
  });
  return { turn: new Int32Array(new SharedArrayBuffer(4)), tables: [table(), table()] };
}

/** The worker's side. Allocates nothing for a query. */
export class UsageWriter {
  readonly #share: UsageShare;
  #turn: number;
  #table: UsageTableShare;

  constructor(share: UsageShare) {
    this.#share = share;
    this.#turn = Atomics.load(share.turn, 0);
    this.#table = share.tables[this.#turn & 1]!;
  }

  /** Before the queries of a batch, after the worker has said that it is busy: the reader waits for that. */
  begin(): void {
    const turn = Atomics.load(this.#share.turn, 0);
    if (turn === this.#turn) return;
    this.#turn = turn;
    this.#table = this.#share.tables[turn & 1]!;
  }

  /** Queries for what is no record count for the zone. */
  readonly count: Count = (found, name) => {
    switch (found.state) {
      case "refused":
        return;
      case "nxdomain":
      case "nodata":
      case "any":
        this.#add(found, name, 0, 0, found.apex);
        return;
      case "delegation":
      case "dname":
        this.#add(found, name, found.node, found.rrset.type, found.label);
        return;
      default:
        this.#add(found, name, found.node, found.rrset.type, found.wildcard ? found.encloser : 0);
    }
  };

  /** The record's name is that of `name` from `label` on, below a `*` when a wildcard answered. */
  #add(found: Found, name: NameKey, node: number, type: number, label: number): void {
    const { words } = this.#table;
    const { entry } = found;
    const first = hashOf(entry, node, type) & (slots - 1) & -bucketSlots;
    const looked = node === 0 ? zoneSlots : bucketSlots;
    for (let i = 0; i < looked; i++) {
      const at = ((first + i) & (slots - 1)) * slotWords;
      const there = words[at]!;
      if (there === entry && words[at + 1] === node && words[at + 2]! >>> 16 === type) {
        words[at + 3]!++;
        return;
      }
      if (there === 0) {
        this.#insert(at, found, name, node, type, label);
        return;
      }
    }
    this.#miss(found, name, node);
  }

  /** There is no room: a record counts for its zone. */
  #miss(found: Found, name: NameKey, node: number): void {
    if (node === 0) this.#table.used[2]!++;
    else this.#add(found, name, 0, 0, found.apex);
  }

  #insert(at: number, found: Found, name: NameKey, node: number, type: number, label: number): void {
    const { words, names, used } = this.#table;
    const start = name.starts[label]!;
    const length = name.length - start;
    const units = Math.ceil((head + length) / nameUnit);
    const isZone = node === 0;
    if (used[0]! >= (isZone ? mostUsed : mostRecords) || used[1]! + units > nameUnits) {
      this.#miss(found, name, node);
      return;
    }
    const unit = used[1]!;
    const to = unit * nameUnit;
    names[to] = length;
    names[to + 1] = name.starts[found.apex]! - start;
    names[to + 2] = !isZone && found.wildcard ? 1 : 0;
    for (let i = 0; i < length; i++) names[to + head + i] = name.octets[start + i]!;
    words[at + 1] = node;
    words[at + 2] = (type << 16) | unit;
    words[at + 3] = 1;
    words[at] = found.entry;
    used[0]!++;
    used[1] = unit + units;
  }
}

/** The side of the edge's main thread. */
export class UsageReader {
  readonly #share: UsageShare;
  readonly #progress: Int32Array;
  /** A table that is no longer chosen, but that the batch under way at `progress` may still fill. */
  #left: { readonly table: UsageTableShare; readonly progress: number } | undefined;

  /** Word 0 of `progress` is odd while the worker answers a batch, and never the same twice. */
  constructor(share: UsageShare, progress: Int32Array) {
    this.#share = share;
    this.#progress = progress;
  }

  /** Hands over what was counted and begins anew. Returns the number of queries for which there was no room. */
  drain(take: (row: UsageRow) => void): number {
    const progress = Atomics.load(this.#progress, 0);
    if (this.#left === undefined) {
      const turn = Atomics.load(this.#share.turn, 0);
      Atomics.store(this.#share.turn, 0, turn + 1);
      // loaded after the turn is stored: a batch that begins later sees the new turn
      this.#left = { table: this.#share.tables[turn & 1]!, progress: Atomics.load(this.#progress, 0) };
      if (this.#left.progress % 2 !== 0) return 0;
    } else if (progress === this.#left.progress) return 0;
    const { table } = this.#left;
    this.#left = undefined;
    return empty(table, take);
  }
}

function empty({ words, names, used }: UsageTableShare, take: (row: UsageRow) => void): number {
  const lost = used[2]!;
  if (used[0]! > 0) {
    for (let at = 0; at < words.length; at += slotWords) if (words[at] !== 0) take(rowAt(words, at, names));
    words.fill(0);
  }
  used.fill(0);
  return lost;
}

function rowAt(words: Int32Array, at: number, names: Uint8Array): UsageRow {
  const type = words[at + 2]! >>> 16;
  const from = (words[at + 2]! & 0xffff) * nameUnit;
  const name = names.slice(from + head, from + head + names[from]!);
  const queries = words[at + 3]! >>> 0;
  const zone = nameToApi(name.subarray(names[from + 1]!));
  if (words[at + 1] === 0) return { zone, domain: "", type: "", queries };
  const owner = names[from + 2] === 1 ? Uint8Array.of(1, asterisk, ...name) : name;
  return { zone, domain: nameToApi(owner), type: typeCoded(type).name, queries };
}

const asterisk = 42;

function hashOf(entry: number, node: number, type: number): number {
  const hash = Math.imul(entry ^ Math.imul(node, 0x85ebca6b) ^ type, 0xc2b2ae35);
  return hash ^ (hash >>> 15);
}
