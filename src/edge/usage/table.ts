/**
 * The counts of a worker for one image, in shared memory of fixed size: every query by its zone, and a sample by
 * the record that decided the answer. One table is filled while the other is read.
 */

/** Zones with larger numbers are not counted. */
export const mostZones = 1 << 23;
/** A slot: zone and hash of the record's name, then type and position of the name, then sampled queries (0: empty). */
export const slotWords = 4;
/** Names begin at multiples of this many octets; two octets of a slot contain the multiple. */
export const nameUnit = 16;
/** Octets before a name: its length, and 1 when a `*` precedes the name. */
export const nameHead = 2;
/** A usual name with its head, in units. */
const usualUnits = 3;
/** The smallest table, in units: a name of any length must fit. */
const leastUnits = 64;

/** Indexes in `state`. */
export const slotsUsed = 0;
export const unitsUsed = 1;
/** The sample contains one query in 2^n, with n at this index. */
export const halvings = 2;
/** Queries for zones whose numbers are too large. */
export const uncounted = 3;

export interface UsageShare {
  /** Word 0: its lowest bit is the index of the table that is filled. */
  readonly epoch: Int32Array<SharedArrayBuffer>;
  readonly tables: readonly [UsageTable, UsageTable];
}

export interface UsageTable {
  /** Queries by the zone's number; the system has memory only for the parts that are written to. */
  readonly zones: Int32Array<SharedArrayBuffer>;
  readonly slots: Int32Array<SharedArrayBuffer>;
  readonly names: Uint8Array<SharedArrayBuffer>;
  readonly state: Int32Array<SharedArrayBuffer>;
}

/** `slots` is a power of two; the sample has room for three quarters as many records. */
export function makeUsage(slots: number): UsageShare {
  const octetsOfWord = Int32Array.BYTES_PER_ELEMENT;
  const units = Math.min(1 << 16, Math.max(leastUnits, slots * usualUnits));
  const table = (): UsageTable => ({
    zones: new Int32Array(new SharedArrayBuffer(mostZones * octetsOfWord)),
    slots: new Int32Array(new SharedArrayBuffer(slots * slotWords * octetsOfWord)),
    names: new Uint8Array(new SharedArrayBuffer(units * nameUnit)),
    state: new Int32Array(new SharedArrayBuffer(4 * octetsOfWord)),
  });
  return { epoch: new Int32Array(new SharedArrayBuffer(octetsOfWord)), tables: [table(), table()] };
}
