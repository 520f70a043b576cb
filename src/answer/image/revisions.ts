/** The writer's clock: which revision is visible, who still reads an older one, and what may be settled or freed. */
import { headerPins, headerVisible, readerSlots, wordsPerPin } from "./layout.ts";

interface Batch {
  /** Its blocks are settled once every pinned reader is here or later. */
  readonly revision: number;
  readonly blocks: Int32Array;
}

export class Revisions {
  /** The revision that is being staged. */
  next: number;
  readonly #header: Int32Array;
  readonly #batches: Batch[] = [];
  #staged = new Int32Array(64);
  #count = 0;

  constructor(header: Int32Array) {
    this.#header = header;
    header[headerVisible] = 1;
    this.next = 2;
  }

  /** Published blocks that are not settled yet, in the order of their revisions. Throws when something is staged. */
  pending(): number[] {
    if (this.#count > 0) throw new Error("the image is in the middle of a change set");
    return this.#batches.flatMap(({ blocks }) => [...blocks]);
  }

  /** Goes on from the visible revision of another image and with its pending blocks. */
  restore(visible: number, pending: readonly number[]): void {
    Atomics.store(this.#header, headerVisible, visible);
    this.next = following(visible);
    if (pending.length > 0) this.#batches.push({ revision: visible, blocks: Int32Array.from(pending) });
  }

  /** A block of the coming revision. */
  stage(address: number): void {
    if (this.#count === this.#staged.length) {
      const larger = new Int32Array(this.#count * 2);
      larger.set(this.#staged);
      this.#staged = larger;
    }
    this.#staged[this.#count++] = address;
  }

  /** Makes everything staged visible at once. */
  publish(): void {
    if (this.#count === 0) return;
    this.#batches.push({ revision: this.next, blocks: this.#staged.slice(0, this.#count) });
    this.#staged = new Int32Array(64);
    this.#count = 0;
    Atomics.store(this.#header, headerVisible, this.next);
    this.next = following(this.next);
  }

  /**
   * Calls `settle` for the blocks of each revision that every reader has reached. What it returns was taken out of a
   * table just now, so readers of the visible revision may still hold it: those blocks come again after them.
   */
  settle(settle: (address: number, retire: (address: number) => void) => void): void {
    for (let batch = this.#batches[0]; batch && this.#passed(batch.revision); batch = this.#batches[0]) {
      this.#batches.shift();
      const retired: number[] = [];
      const retire = (address: number) => {
        retired.push(address);
      };
      for (const address of batch.blocks) settle(address, retire);
      if (retired.length > 0) this.#batches.push({ revision: this.next, blocks: Int32Array.from(retired) });
    }
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
