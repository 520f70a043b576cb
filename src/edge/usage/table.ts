/**
 * The counts of a worker for one image, in shared memory of fixed size: every query by its zone, and samples by the
 * record that decided the answer, by the name that does not exist, and by type, RCODE and transport. One table is filled
 * while the other is read.
 */
import { countedTypes } from "./counted-types.ts";

/** Zones with larger numbers are not counted. */
export const mostZones = 1 << 23;

/** A slot of names: zone and hash of the name, then type and position of the name, then sampled queries (0: empty). */
export const slotWords = 4;
/** Names begin at multiples of this many octets; two octets of a slot contain the multiple. */
export const nameUnit = 16;
/** Octets before a name: its length, and 1 when a `*` precedes the name. */
export const nameHead = 2;
/** A usual name with its head, in units. */
const usualUnits = 3;
/** The smallest table, in units: a name of any length must fit. */
const leastUnits = 64;

/** A slot of the mix: zone, then kind, then sampled queries (0: empty). */
export const mixWords = 3;
/** The slots of the mix; a power of two. */
export const mixSlots = 4096;
/** The slots for names that do not exist; a power of two. */
const missingSlots = 1024;

/** Indexes in the `state` of a sample. */
export const slotsUsed = 0;
export const unitsUsed = 1;
/** The sample contains one query in 2^n, with n at this index. */
export const halvings = 2;
/** Queries in the sample. */
export const sampled = 3;
const stateWords = 4;

export const transports = ["udp", "tcp", "tls", "https"] as const;
const rcodes = 16;

/** The kind of a query: its type by index, the RCODE of its answer's header, and its transport by index. */
export const kindOf = (type: number, rcode: number, transport: number): number =>
  (type * rcodes + rcode) * transports.length + transport;
export const kinds = kindOf(countedTypes.length + 1, 0, 0);

export function partsOf(kind: number): { readonly type: number; readonly rcode: number; readonly transport: number } {
  const rest = Math.floor(kind / transports.length);
  return { type: Math.floor(rest / rcodes), rcode: rest % rcodes, transport: kind % transports.length };
}

export interface UsageShare {
  /** Word 0: its lowest bit is the index of the table that is filled. */
  readonly epoch: Int32Array<SharedArrayBuffer>;
  readonly tables: readonly [UsageTable, UsageTable];
}

export interface NameTable {
  readonly slots: Int32Array<SharedArrayBuffer>;
  readonly names: Uint8Array<SharedArrayBuffer>;
  readonly state: Int32Array<SharedArrayBuffer>;
}

export interface MixTable {
  readonly slots: Int32Array<SharedArrayBuffer>;
  readonly state: Int32Array<SharedArrayBuffer>;
}

export interface UsageTable {
  /** Queries by the zone's number; the system has memory only for the parts that are written to. */
  readonly zones: Int32Array<SharedArrayBuffer>;
  /** Word 0: queries for zones whose numbers are too large. */
  readonly uncounted: Int32Array<SharedArrayBuffer>;
  readonly records: NameTable;
  readonly missing: NameTable;
  readonly mix: MixTable;
}

/** `slots` is a power of two; the sample of records has room for three quarters as many. */
export function makeUsage(slots: number): UsageShare {
  const table = (): UsageTable => ({
    zones: words(mostZones),
    uncounted: words(1),
    records: nameTable(slots),
    missing: nameTable(missingSlots),
    mix: { slots: words(mixSlots * mixWords), state: words(stateWords) },
  });
  return { epoch: words(1), tables: [table(), table()] };
}

function nameTable(slots: number): NameTable {
  const units = Math.min(1 << 16, Math.max(leastUnits, slots * usualUnits));
  return {
    slots: words(slots * slotWords),
    names: new Uint8Array(new SharedArrayBuffer(units * nameUnit)),
    state: words(stateWords),
  };
}

const words = (count: number) => new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT));
