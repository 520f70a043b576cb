/** The texts of the live table, for its writer: blocks of octets, reused by size class. */
import { GrowingMemory } from "./growing.ts";

const smallestBits = 4;
const first = 64 * 1024;

export class Texts {
  readonly memory: GrowingMemory;
  /** Free blocks by size class. */
  readonly #free: number[][] = [];
  #end = 0;

  constructor(most: number) {
    this.memory = GrowingMemory.create(first, most);
  }

  /** Offset of a block for `length` octets; -1 when the memory is full. */
  allocate(length: number): number {
    const bits = classOf(length);
    let at = this.#free[bits]?.pop();
    if (at === undefined) {
      if (!this.memory.reserve(this.#end + (1 << bits))) return -1;
      at = this.#end;
      this.#end += 1 << bits;
    }
    return at;
  }

  /** Frees a block; `length` is what was passed to `allocate`. */
  free(at: number, length: number): void {
    const bits = classOf(length);
    this.#free[bits] ??= [];
    this.#free[bits].push(at);
  }
}

const classOf = (length: number) => Math.max(smallestBits, 32 - Math.clz32(length - 1));
