/** Allocates blocks of the image's memory: freed blocks by size class, otherwise new blocks at the end of a segment. */
import { blockMade, blockPrevious, blockShape, flagFree, flagGone, unitBits } from "./layout.ts";
import type { ImageMemory } from "./memory.ts";
import type { Kind, SegmentState, Segments } from "./segments.ts";

export interface AllocatorState {
  readonly segments: readonly SegmentState[];
  readonly movable: ArenaState;
  readonly fixed: ArenaState;
}

interface ArenaState {
  /** First free block of each class. */
  readonly free: readonly (readonly [number, number])[];
  /** The segment being filled, or -1. */
  readonly filled: number;
}

/** The free blocks of one kind, and the segment for new blocks, or -1. */
interface Arena {
  filled: number;
  /** First free block of each class; its first words link to the next and the previous free block. */
  readonly free: Map<number, number>;
}

const arenaOf = ({ free, filled }: ArenaState): Arena => ({ free: new Map(free), filled });
const stateOf = ({ free, filled }: Arena): ArenaState => ({ free: [...free], filled });
const unused: ArenaState = { free: [], filled: -1 };

export class Allocator {
  readonly #memory: ImageMemory;
  readonly #segments: Segments;
  #arenas = { movable: arenaOf(unused), fixed: arenaOf(unused) };
  /** The closed segment, which allocates no more blocks, or -1. */
  #closed = -1;

  constructor(memory: ImageMemory, segments: Segments) {
    this.#memory = memory;
    this.#segments = segments;
  }

  /** Address of a block of at least `units` units, with arbitrary contents. */
  allocate(units: number, kind: Kind = "movable"): number {
    const size = classSize(units);
    const arena = this.#arenas[kind];
    for (let reused = arena.free.get(size) ?? 0; reused !== 0; reused = arena.free.get(size)!) {
      this.#unlink(reused, size, arena);
      if (reused >>> unitBits !== this.#closed) {
        this.#segments.use(reused >>> unitBits, size);
        return reused;
      }
      this.#memory.setWord(reused, blockShape, flagGone);
    }
    const address = arena.filled < 0 ? 0 : this.#segments.append(arena.filled, size);
    if (address !== 0) return address;
    arena.filled = this.#segments.open(kind, size);
    return this.#segments.append(arena.filled, size);
  }

  /** Frees a block; `units` is what was passed to `allocate`. */
  free(address: number, units: number): void {
    const size = classSize(units);
    const segment = address >>> unitBits;
    this.#segments.use(segment, -size);
    if (segment === this.#closed) this.#memory.setWord(address, blockShape, flagGone);
    else this.#link(address, size, this.#arenas[this.#segments.kindOf(segment)]);
  }

  /** Stops allocation from this segment. Its free blocks must all be withdrawn before `clear`. */
  close(segment: number): void {
    this.#closed = segment;
    const arena = this.#arenas[this.#segments.kindOf(segment)];
    if (arena.filled === segment) arena.filled = -1;
  }

  /** Removes a free block of the closed segment from the free list. */
  withdraw(address: number, units: number): void {
    this.#unlink(address, classSize(units), this.#arenas[this.#segments.kindOf(address >>> unitBits)]);
    this.#memory.setWord(address, blockShape, flagGone);
  }

  /** Makes the closed segment, which is empty now, available again. */
  clear(): void {
    this.#segments.clear(this.#closed);
    this.#closed = -1;
  }

  state(): AllocatorState {
    const { movable, fixed } = this.#arenas;
    return { segments: this.#segments.state(), movable: stateOf(movable), fixed: stateOf(fixed) };
  }

  /** Takes over the segments of another allocator, with their memory in `buffers`. */
  restore({ segments, movable, fixed }: AllocatorState, buffers: readonly SharedArrayBuffer[]): void {
    this.#segments.restore(segments, buffers);
    this.#arenas = { movable: arenaOf(movable), fixed: arenaOf(fixed) };
  }

  #link(address: number, size: number, { free }: Arena): void {
    const first = free.get(size) ?? 0;
    this.#memory.setWord(address, blockMade, first);
    this.#memory.setWord(address, blockPrevious, 0);
    this.#memory.setWord(address, blockShape, flagFree);
    if (first !== 0) this.#memory.setWord(first, blockPrevious, address);
    free.set(size, address);
  }

  #unlink(address: number, size: number, { free }: Arena): void {
    const next = this.#memory.word(address, blockMade);
    const before = this.#memory.word(address, blockPrevious);
    if (before === 0) free.set(size, next);
    else this.#memory.setWord(before, blockMade, next);
    if (next !== 0) this.#memory.setWord(next, blockPrevious, before);
  }
}

/** Rounds `units` up to its size class: exact up to 32, then four classes for each doubling. */
export function classSize(units: number): number {
  if (units <= 32) return units;
  const step = 1 << (29 - Math.clz32(units - 1));
  return (units + step - 1) & -step;
}
