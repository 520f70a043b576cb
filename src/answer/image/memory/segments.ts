/** The segments of an image: how much of each was given out, how much of that is in use, and which are empty. */
import { firstSegmentOctets, segmentOctets, unitBits, unitOctets, vacatedSlot } from "./layout.ts";
import { type Memory, plainMemory } from "./memory.ts";

/** Shared memory comes from `makeMemory`; `dropMemory` gives back what is in it, which may be written to again. */
export interface MemoryOptions {
  readonly makeMemory?: (octets: number) => SharedArrayBuffer;
  readonly dropMemory?: (memory: SharedArrayBuffer) => void;
  /** Octets of the smallest segment; less than that may lie idle. */
  readonly smallest?: number;
}

/** Blocks that may be moved lie apart from those that never are, so that segments of the former can be emptied. */
export type Kind = "movable" | "fixed";

export interface SegmentState {
  readonly octets: number;
  readonly kind: Kind;
  /** Units from the beginning on that blocks were made of, and those of blocks that are in use. */
  readonly end: number;
  readonly used: number;
}

interface Segment {
  readonly buffer: SharedArrayBuffer;
  kind: Kind;
  end: number;
  used: number;
}

/** A segment that begins to be filled has this share of what there is already: little is idle, and little is moved at once. */
const growth = 1 / 8;

export class Segments {
  /** Octets of all segments that are not empty. */
  octets = 0;
  readonly #all: Segment[] = [];
  readonly #memory: Memory;
  readonly #added: (segment: number, buffer: SharedArrayBuffer) => void;
  readonly #make: (octets: number) => SharedArrayBuffer;
  readonly #drop: (memory: SharedArrayBuffer) => void;
  readonly #smallest: number;

  /** `added` is called with each new segment before anything in it is given out. */
  constructor(
    memory: Memory,
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

  /** An empty segment that a block of so many units fits into: one that was emptied, else a new one. */
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

  /** Address of a new block at the end of a segment; 0 when there is no room. */
  append(number: number, units: number): number {
    const segment = this.#all[number]!;
    if (segment.end + units > segment.buffer.byteLength >>> 3) return 0;
    const address = (number << unitBits) + segment.end;
    segment.end += units;
    segment.used += units;
    return address;
  }

  /** So many units more, or less, of the segment are in use. */
  use(number: number, units: number): void {
    this.#all[number]!.used += units;
  }

  kindOf(number: number): Kind {
    return this.#all[number]!.kind;
  }

  isEmpty(number: number): boolean {
    return this.#all[number]!.used === 0;
  }

  /** Addresses from the first block on up to where the last one ends. */
  extent(number: number): { readonly from: number; readonly to: number } {
    const at = number << unitBits;
    return { from: at + firstUnit, to: at + this.#all[number]!.end };
  }

  /** Units in blocks that are not in use, and of all blocks; whether that is too little to care for. */
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

  /** The one of which the greatest share, and at least this, is not in use; blocks that are never moved must all be gone. */
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

  /** Nothing in it is in use, and nobody reads it. */
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

/** In the first segment the units before stand for "nowhere" and "vacated". */
const firstUnit = vacatedSlot + 1;
