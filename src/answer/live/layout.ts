/** What stands where in the live table: a header and cells of 144 octets, slots that find them, and texts. */

// An index of a cell has 20 bits; 11 bits above it count its owners, so that an old handle never reads a new owner.
export const indexBits = 20;
export const indexMask = (1 << indexBits) - 1;
export const reuseMask = 0x7ff;
/** Cells of one table, one for each key of each feed: 151 MB of cells. */
export const mostCells = (1 << indexBits) - 1;
/** Octets of JSON and keys: two values a cell, in blocks of a power of two. */
export const mostTextOctets = 256 << 20;
/** Longest JSON text of one value. */
export const maxValueOctets = 64 * 1024;
/** Longest feed id and key together. */
export const maxNameOctets = 1024;

export const cellOctets = 144;
export const cellWords = cellOctets / 4;
const cellDoubles = cellOctets / 8;

// The header lies where cell 0 would be.
export const headerFormat = 0;
/** Grows when cells came or went. */
export const headerGeneration = 1;
/** Number of slots in force, a power of two; they begin at the word of the same number. */
export const headerSlots = 2;
export const liveTableFormat = 1;

// Words of a cell.
/** Its lowest bit says which of the two copies is in force; the other one is being written or out of date. */
export const cellVersion = 0;
/** How often the cell was given to an owner: handles of earlier owners are not valid. */
export const cellReuses = 1;
export const cellHash = 2;
export const cellNameAt = 3;
export const cellNameOctets = 4;

// A copy: five doubles, then four words.
const firstCopyDoubles = 4;
const copyDoubles = 7;
/** The value as a number. */
export const copyNumber = 0;
export const copyFallbackNumber = 1;
/** Unix milliseconds of the push; NaN before the first one. */
export const copyAt = 2;
/** Unix milliseconds up to which the value counts; -Infinity when there is none, Infinity when it counts for ever. */
export const copyUntil = 3;
/** Unix milliseconds of the push that brought the value, which later ones have only confirmed; NaN without one. */
export const copyChanged = 4;
const copyTextWord = 10;
/** Where a JSON text begins and how many octets it has, 0 when there is none; then the same for the fallback. */
export const copyValue = 0;
export const copyFallback = 2;

export const firstSlots = 1024;
export const emptySlot = 0;

/** First double of the copy that belongs to a version of the cell at `index`. */
export const copyDoubleAt = (index: number, version: number) =>
  index * cellDoubles + firstCopyDoubles + (version & 1) * copyDoubles;

/** The word of that copy from which the places of its texts stand. */
export const copyTextAt = (copyDouble: number) => copyDouble * 2 + copyTextWord;

/** FNV-1a over the octets of a cell's name. */
export function hashName(octets: Uint8Array, length: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ octets[i]!, 0x01000193);
  return hash ^ (hash >>> 15);
}

const encoder = new TextEncoder();

/** Writes what finds a cell: feed id and key. Returns its octets; 0 when they are too many for `into`. */
export function writeName(feedId: string, key: string, into: Uint8Array): number {
  const name = `${feedId}\0${key}`;
  const { read, written } = encoder.encodeInto(name, into);
  return read === name.length ? written : 0;
}
