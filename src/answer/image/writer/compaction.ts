/**
 * Empties segments with much unused memory, which can then be released: blocks in use are copied elsewhere as new
 * versions, which readers see like any other change. Works in steps of a few blocks.
 */
import { type Allocator, classSize } from "../memory/allocator.ts";
import {
  blockMade,
  blockShape,
  blockUnits,
  flagAbsent,
  flagData,
  flagDead,
  flagEntry,
  flagFree,
  flagGone,
} from "../memory/layout.ts";
import type { Segments } from "../memory/segments.ts";
import type { ImageCore } from "./core.ts";

/** Compaction starts at this share of unused memory. */
const mostIdle = 1 / 4;

export class Compaction {
  /** Number of emptied segments. */
  emptied = 0;
  readonly #core: ImageCore;
  readonly #segments: Segments;
  readonly #allocator: Allocator;
  /** The segment being emptied, the position of the walk through it, and the revision of the last copies. */
  #closed: { readonly segment: number; readonly to: number; at: number; revision: number } | undefined;

  constructor(core: ImageCore, segments: Segments, allocator: Allocator) {
    this.#core = core;
    this.#segments = segments;
    this.#allocator = allocator;
  }

  /** Visits at most `most` blocks of a segment; returns whether there was anything to do. */
  step(most: number): boolean {
    const closed = this.#closed ?? this.#choose();
    if (!closed) return false;
    const { revisions } = this.#core;
    for (let i = 0; i < most && closed.at < closed.to; i++) closed.at += this.#visit(closed.at);
    if (closed.at < closed.to) return true;
    if (this.#segments.isEmpty(closed.segment)) {
      this.#allocator.clear();
      this.#closed = undefined;
      this.emptied++;
      return true;
    }
    if (closed.revision === 0) closed.revision = revisions.last();
    if (!revisions.isReclaimed(closed.revision)) return false;
    // walks again: during the last walk, the blocks that remain were about to be replaced or freed
    closed.at = this.#segments.extent(closed.segment).from;
    closed.revision = 0;
    return true;
  }

  #choose() {
    const { free, all, isLittle } = this.#segments.idle();
    if (isLittle || free < all * mostIdle) return undefined;
    const segment = this.#segments.idlest(mostIdle);
    if (segment < 0) return undefined;
    this.#allocator.close(segment);
    const { from, to } = this.#segments.extent(segment);
    this.#closed = { segment, at: from, to, revision: 0 };
    return this.#closed;
  }

  /** Returns the units of the block. */
  #visit(address: number): number {
    const { blocks, zones, nodes, key } = this.#core;
    const { memory } = blocks;
    const shape = memory.word(address, blockShape);
    const units = memory.word(address, blockUnits);
    if ((shape & flagFree) !== 0) this.#allocator.withdraw(address, units);
    // skips blocks to be freed, and blocks with an older version that readers may see
    else if ((shape & (flagGone | flagDead | flagAbsent | flagData)) === 0 && memory.word(address, blockMade) === 0) {
      if ((shape & flagEntry) !== 0) zones.move(address, key);
      else nodes.move(address, key);
    }
    return classSize(units);
  }
}
