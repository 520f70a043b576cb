/** The segments of an image: for each, the allocated memory and the part of it in use. */
import { firstSegmentOctets, segmentOctets, unitBits, unitOctets, vacatedSlot } from "./layout.ts";
import { type ImageMemory, plainMemory } from "./memory.ts";

/** `makeMemory` allocates shared memory. `dropMemory` releases its pages; the memory may be written to again later. */
export interface MemoryOptions {
  readonly makeMemory?: (octets: number) => SharedArrayBuffer;
  readonly dropMemory?: (memory: SharedArrayBuffer) => void;
  /** Octets of the smallest segment; less idle memory than this starts no compaction. */
  readonly smallest?: number;
}

/** Movable and fixed blocks have separate segments, so that segments of movable blocks can be emptied. */
export type Kind = "movable" | "fixed";

export interface SegmentState {
  readonly octets: number;
  readonly kind: Kind;
  /** Units from the beginning up to the end of the last block, and units of blocks in use. */
  readonly end: number;
  readonly used: number;
}

interface Segment {
  readonly buffer: SharedArrayBuffer;
  kind: Kind;
  end: number;
  used: number;
}

/** Size of a new segment as a share of the existing memory: limits idle memory, and the blocks moved at once. */
const growth = 1 / 8;

export class Segments {
  /** Octets of all segments that are not empty. */
  octets = 0;
  readonly #all: Segment[] = [];
  readonly #memory: ImageMemory;
  readonly #added: (segment: number, buffer: SharedArrayBuffer) => void;
  readonly #make: (octets: number) => SharedArrayBuffer;
  readonly #drop: (memory: SharedArrayBuffer) => void;
  readonly #smallest: number;

  /** `added` is called with each new segment before any block of it is allocated. */
  constructor(
    memory: ImageMemory,
    added: (segment: number, buffer: SharedArrayBuffer) => void,
    { makeMemory = plainMemory, dropMemory = () => {}, smallest = firstSegmentOctets }: MemoryOptions,
  ) {
    this.#memory = memory;
    this.#added = added;
    this.#make = makeMemory;
    this.#drop = dropMemory;
    this.#smallest = smallest;
  }

  state(): SegmentState[] {
    return this.#all.map(({ buffer, kind, end, used }) => ({ octets: buffer.byteLength, kind, end, used }));
  }

  restore(states: readonly SegmentState[], buffers: readonly SharedArrayBuffer[]): void {
    for (const [segment, { kind, end, used }] of states.entries()) {
      this.#add({ buffer: buffers[segment]!, kind, end, used });
      if (end > 0) this.octets += buffers[segment]!.byteLength;
    }
  }

  buffers(): SharedArrayBuffer[] {
    return this.#all.map(({ buffer }) => buffer);
  }

  /** Opens an empty segment for a block of `units` units: an emptied segment that is large enough, or else a new one. */
  open(kind: Kind, units: number): number {
    const needed = (units + firstUnit) << 3;
    if (needed > segmentOctets) throw new RangeError(`an image block of ${units * 8} octets is too large`);
    const emptied = this.#all.findIndex(({ end, buffer }) => end === 0 && buffer.byteLength >= needed);
    const number = emptied < 0 ? this.#add(this.#made(kind, needed)) : emptied;
    const segment = this.#all[number]!;
    segment.kind = kind;
    segment.end = firstUnit;
    this.octets += segment.buffer.byteLength;
    return number;
  }

  /** Address of a new block at the end of a segment; 0 when the segment is full. */
  append(number: number, units: number): number {
    const segment = this.#all[number]!;
    if (segment.end + units > segment.buffer.byteLength >>> 3) return 0;
    const address = (number << unitBits) + segment.end;
    segment.end += units;
    segment.used += units;
    return address;
  }

  /** Adds `units`, which may be negative, to the units in use of the segment. */
  use(number: number, units: number): void {
    this.#all[number]!.used += units;
  }

  kindOf(number: number): Kind {
    return this.#all[number]!.kind;
  }

  isEmpty(number: number): boolean {
    return this.#all[number]!.used === 0;
  }

  /** Address of the first block, and the end of the last block. */
  extent(number: number): { readonly from: number; readonly to: number } {
    const at = number << unitBits;
    return { from: at + firstUnit, to: at + this.#all[number]!.end };
  }

  /** Units of unused blocks and of all blocks; `isLittle` when the unused blocks are too few for compaction. */
  idle(): { readonly free: number; readonly all: number; readonly isLittle: boolean } {
    let free = 0;
    let all = 0;
    for (const { end, used } of this.#all) {
      if (end === 0) continue;
      all += end - firstUnit;
      free += end - firstUnit - used;
    }
    return { free, all, isLittle: free * unitOctets < this.#smallest };
  }

  /** The segment with the greatest unused share, at least `atLeast`; -1 if none. Fixed segments must be fully unused. */
  idlest(atLeast: number): number {
    let best = -1;
    let most = atLeast;
    for (const [number, { kind, end, used }] of this.#all.entries()) {
      if (end === 0 || (kind === "fixed" && used > 0)) continue;
      const share = 1 - used / (end - firstUnit);
      if (share >= most) [best, most] = [number, share];
    }
    return best;
  }

  /** Releases a segment without blocks in use and without readers. */
  clear(number: number): void {
    const segment = this.#all[number]!;
    segment.end = 0;
    this.octets -= segment.buffer.byteLength;
    this.#drop(segment.buffer);
  }

  #made(kind: Kind, needed: number): Segment {
    const wanted = 2 ** Math.floor(Math.log2(this.octets * growth + 1));
    const octets = Math.min(segmentOctets, Math.max(this.#smallest, wanted, needed));
    return { buffer: this.#make(octets), kind, end: 0, used: 0 };
  }

  #add(segment: Segment): number {
    const number = this.#all.push(segment) - 1;
    this.#memory.add(number, segment.buffer);
    this.#added(number, segment.buffer);
    return number;
  }
}

/** Addresses 0 (none) and 1 (vacated) have a meaning of their own. */
const firstUnit = vacatedSlot + 1;
