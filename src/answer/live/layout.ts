/** The layout of the live table: a header and cells of 144 octets, slots that lead to them, and texts. */

// A handle: a cell's index in the low 20 bits, and above it, in 11 bits, how often the cell has been assigned to a key.
// A handle from an earlier assignment never reads a later value.
export const indexBits = 20;
export const indexMask = (1 << indexBits) - 1;
export const reuseMask = 0x7ff;
/** Maximum number of cells, one for each key of each feed: 151 MB. */
export const mostCells = (1 << indexBits) - 1;
/** Maximum octets of JSON and names: two copies of two values per cell, in blocks of a power of two. */
export const mostTextOctets = 1 << 30;
/** Maximum octets of one value as JSON. */
export const mostValueOctets = 64 * 1024;
/** Maximum octets of a cell's name: feed id, separator and key. */
export const mostNameOctets = 1024;

export const cellOctets = 144;
export const cellWords = cellOctets / 4;
const cellDoubles = cellOctets / 8;

// The header takes the memory of cell 0.
export const headerFormat = 0;
/** Increases when cells were added or removed. */
export const headerGeneration = 1;
/** Number of current slots, a power of two; they begin at the word of the same number. */
export const headerSlots = 2;
export const liveTableFormat = 1;

// Words of a cell.
/** The lowest bit selects the current copy; the other copy is being written or out of date. */
export const cellVersion = 0;
/** How often the cell has been assigned to a key: handles from earlier assignments are invalid. */
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
/** Unix milliseconds of the push; NaN before the first push. */
export const copyAt = 2;
/** Unix milliseconds at which the value expires; -Infinity without a value, Infinity when it never expires. */
export const copyUntil = 3;
/** Unix milliseconds of the push that last changed the value; later pushes only confirmed it. NaN without a value. */
export const copyChanged = 4;
const copyTextWord = 10;
/** Offset of the value's JSON text, then its length in octets, 0 without a text; then the same for the fallback. */
export const copyValue = 0;
export const copyFallback = 2;

export const firstSlots = 1024;
export const emptySlot = 0;

/** First double of the copy for a version of the cell at `index`. */
export const copyDoubleAt = (index: number, version: number) =>
  index * cellDoubles + firstCopyDoubles + (version & 1) * copyDoubles;

/** First word of the text offsets and lengths in the copy that begins at this double. */
export const copyTextAt = (copyDouble: number) => copyDouble * 2 + copyTextWord;

/** FNV-1a over the octets of a cell's name. */
export function hashName(octets: Uint8Array, length: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ octets[i]!, 0x01000193);
  return hash ^ (hash >>> 15);
}

const encoder = new TextEncoder();

/** Writes a cell's name: feed id and key. Returns its length in octets; 0 when it does not fit into `into`. */
export function writeName(feedId: string, key: string, into: Uint8Array): number {
  const name = `${feedId}\0${key}`;
  const { read, written } = encoder.encodeInto(name, into);
  return read === name.length ? written : 0;
}
