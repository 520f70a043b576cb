/** Gives out blocks of the image's memory: new ones from the end, freed ones by size class. */
import { blockMade, firstSegmentOctets, segmentOctets, unitBits, vacatedSlot } from "./layout.ts";
import { type MakeMemory, type Memory, plainMemory } from "./memory.ts";

export interface AllocatorState {
  /** Octets of each segment. */
  readonly segments: readonly number[];
  /** First free block of each class. */
  readonly free: readonly (readonly [number, number])[];
  readonly next: number;
  readonly left: number;
}

export class Allocator {
  /** Octets of all segments. */
  octets = 0;
  readonly #memory: Memory;
  readonly #added: (segment: number, buffer: SharedArrayBuffer) => void;
  readonly #make: MakeMemory;
  /** First free block of each class; the next one stands in the block's first word. */
  readonly #free = new Map<number, number>();
  readonly #segments: number[] = [];
  #next = 0;
  #left = 0;

  /** `added` is called with each new segment before anything in it is given out. */
  constructor(memory: Memory, added: (segment: number, buffer: SharedArrayBuffer) => void, make = plainMemory) {
    this.#memory = memory;
    this.#added = added;
    this.#make = make;
  }

  /** Address of a block of at least so many units; its contents are whatever was there. */
  allocate(units: number): number {
    const size = classSize(units);
    const reused = this.#free.get(size) ?? 0;
    if (reused !== 0) {
      this.#free.set(size, this.#memory.word(reused, blockMade));
      return reused;
    }
    if (size > this.#left) this.#grow(size);
    const address = this.#next;
    this.#next += size;
    this.#left -= size;
    return address;
  }

  /** `units` as they were asked for. */
  free(address: number, units: number): void {
    const size = classSize(units);
    this.#memory.setWord(address, blockMade, this.#free.get(size) ?? 0);
    this.#free.set(size, address);
  }

  state(): AllocatorState {
    return { segments: [...this.#segments], free: [...this.#free], next: this.#next, left: this.#left };
  }

  /** Octets of the last segment that were given out. */
  used(): number {
    return (this.#segments.at(-1) ?? 0) - (this.#left << 3);
  }

  /** Takes over the segments of another allocator, which are here as `buffers`. */
  restore({ free, next, left }: AllocatorState, buffers: readonly SharedArrayBuffer[]): void {
    for (const buffer of buffers) this.#add(buffer);
    for (const [size, address] of free) this.#free.set(size, address);
    this.#next = next;
    this.#left = left;
  }

  #grow(units: number): void {
    const { length: count } = this.#segments;
    const octets = Math.min(segmentOctets, Math.max(firstSegmentOctets << Math.min(4 * count, 8), units << 3));
    // The first units of the first segment stand for "nowhere" and "vacated".
    const reserved = count === 0 ? vacatedSlot + 1 : 0;
    if (units + reserved > octets >>> 3) throw new RangeError(`an image block of ${units * 8} octets is too large`);
    const segment = this.#add(this.#make(octets));
    this.#next = (segment << unitBits) + reserved;
    this.#left = (octets >>> 3) - reserved;
  }

  #add(buffer: SharedArrayBuffer): number {
    const segment = this.#segments.push(buffer.byteLength) - 1;
    this.#memory.add(segment, buffer);
    this.octets += buffer.byteLength;
    this.#added(segment, buffer);
    return segment;
  }
}

/** Exact up to 32 units, then four classes for each doubling. */
function classSize(units: number): number {
  if (units <= 32) return units;
  const step = 1 << (29 - Math.clz32(units - 1));
  return (units + step - 1) & -step;
}
