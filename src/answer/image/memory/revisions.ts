/** The writer's revisions: staged, visible and pinned, and the blocks to be reclaimed once their readers have moved on. */
import { headerPins, headerVisible, readerSlots, wordsPerPin } from "./layout.ts";

interface Batch {
  /** The blocks are reclaimed when no reader is at an earlier revision. */
  readonly revision: number;
  readonly blocks: Int32Array;
  /** Number of reclaimed blocks. */
  done: number;
}

/** Memory that readers of earlier revisions may still use. */
interface ToDrop {
  readonly revision: number;
  readonly memory: SharedArrayBuffer;
}

export class Revisions {
  /** The revision being staged. */
  next: number;
  readonly #header: Int32Array;
  readonly #batches: Batch[] = [];
  readonly #toDrop: ToDrop[] = [];
  #staged = new Int32Array(64);
  #count = 0;

  constructor(header: Int32Array) {
    this.#header = header;
    header[headerVisible] = 1;
    this.next = 2;
  }

  /** Published blocks that are not reclaimed yet, in order of revision. Throws when any block is staged. */
  pending(): number[] {
    if (this.#count > 0) throw new Error("the image is in the middle of a change set");
    return this.#batches.flatMap(({ blocks, done }) => [...blocks.subarray(done)]);
  }

  /** Continues from the visible revision of another image, with that image's pending blocks. */
  restore(visible: number, pending: readonly number[]): void {
    Atomics.store(this.#header, headerVisible, visible);
    this.next = following(visible);
    if (pending.length > 0) this.#batches.push({ revision: visible, blocks: Int32Array.from(pending), done: 0 });
  }

  /** Adds a block to the revision being staged. */
  stage(address: number): void {
    if (this.#count === this.#staged.length) {
      const larger = new Int32Array(this.#count * 2);
      larger.set(this.#staged);
      this.#staged = larger;
    }
    this.#staged[this.#count++] = address;
  }

  /** Registers memory that readers of the revision being staged no longer use. */
  dropLater(memory: SharedArrayBuffer): void {
    this.#toDrop.push({ revision: this.next, memory });
  }

  /** Makes everything staged visible at once; returns the number of its blocks. */
  publish(): number {
    const count = this.#count;
    // retired blocks and memory are freed only when readers reach a later revision, so it is published even if empty
    const isAwaited = this.#batches.at(-1)?.revision === this.next || this.#toDrop.at(-1)?.revision === this.next;
    if (count === 0 && !isAwaited) return 0;
    if (count > 0) this.#batches.push({ revision: this.next, blocks: this.#staged.slice(0, count), done: 0 });
    this.#staged = new Int32Array(64);
    this.#count = 0;
    Atomics.store(this.#header, headerVisible, this.next);
    this.next = following(this.next);
    return count;
  }

  /**
   * Calls `reclaim` for about `most` blocks of revisions that every reader has reached. A block passed to `retire` was
   * just removed from a table, and readers of the visible revision may still hold it: `reclaim` is called for it again
   * once those readers have moved on. Returns the number of calls plus the number of retired blocks.
   */
  reclaim(
    reclaim: (address: number, retire: (address: number) => void) => void,
    most = Number.POSITIVE_INFINITY,
  ): number {
    let reclaimed = 0;
    for (let batch = this.#batches[0]; batch && reclaimed < most && this.#passed(batch.revision); ) {
      const retired: number[] = [];
      const retire = (address: number) => {
        retired.push(address);
      };
      const end = Math.min(batch.blocks.length, batch.done + most - reclaimed);
      for (let i = batch.done; i < end; i++) reclaim(batch.blocks[i]!, retire);
      reclaimed += end - batch.done + retired.length;
      batch.done = end;
      if (retired.length > 0) this.#batches.push({ revision: this.next, blocks: Int32Array.from(retired), done: 0 });
      if (end === batch.blocks.length) this.#batches.shift();
      batch = this.#batches[0];
    }
    return reclaimed;
  }

  /** Calls `drop` for memory that no reader uses any more. */
  drop(drop: (memory: SharedArrayBuffer) => void): void {
    for (let first = this.#toDrop[0]; first && this.#passed(first.revision); first = this.#toDrop[0]) {
      this.#toDrop.shift();
      drop(first.memory);
    }
  }

  /** The revision being staged if it has blocks, otherwise the visible one. */
  last(): number {
    return this.#count > 0 ? this.next : Atomics.load(this.#header, headerVisible);
  }

  /** Whether this revision is visible and all blocks staged up to it are reclaimed. */
  isReclaimed(revision: number): boolean {
    const first = this.#batches[0];
    if (((this.next - revision) | 0) <= 0) return false;
    return first === undefined || ((first.revision - revision) | 0) > 0;
  }

  /** Number of blocks that are not reclaimed yet. */
  waiting(): number {
    return this.#batches.reduce((sum, { blocks, done }) => sum + blocks.length - done, 0);
  }

  /** Revisions wrap around, so they are compared by distance. */
  #passed(revision: number): boolean {
    for (let slot = 0; slot < readerSlots; slot++) {
      const pinned = Atomics.load(this.#header, headerPins + slot * wordsPerPin);
      if (pinned !== 0 && ((pinned - revision) | 0) < 0) return false;
    }
    return true;
  }
}

/** 0 means "no revision". */
const following = (revision: number) => (revision + 1) | 0 || 1;
