/** Blocks with versions: a change makes a new version, and the previous version is freed when no reader can see it. */
import type { Allocator } from "./allocator.ts";
import type { NameKey } from "./key.ts";
import {
  blockKey,
  blockLabels,
  blockMade,
  blockPrevious,
  blockShape,
  blockUnits,
  flagDead,
  labelsShift,
} from "./layout.ts";
import { type ImageMemory, octetAt } from "./memory.ts";
import { probe } from "./probe.ts";
import type { Revisions } from "./revisions.ts";
import type { Kind } from "./segments.ts";
import type { Table } from "./table.ts";

export class Blocks {
  readonly memory: ImageMemory;
  readonly #allocator: Allocator;
  readonly #revisions: Revisions;

  constructor(memory: ImageMemory, allocator: Allocator, revisions: Revisions) {
    this.memory = memory;
    this.#allocator = allocator;
    this.#revisions = revisions;
  }

  /** Allocates a block without versions, which never moves and is staged only when it is removed. */
  allocateFixed(units: number, shape: number): number {
    return this.#allocate(units, shape, "fixed");
  }

  #allocate(units: number, shape: number, kind: Kind): number {
    const address = this.#allocator.allocate(units, kind);
    this.memory.touch(address, units);
    this.memory.setWord(address, blockMade, this.#revisions.next);
    this.memory.setWord(address, blockPrevious, 0);
    this.memory.setWord(address, blockShape, shape);
    this.memory.setWord(address, blockUnits, units);
    return address;
  }

  /** Makes a version in the staged revision, with a copy of the labels; `shape` is without the length of the labels. */
  make(units: number, shape: number, word: number, octets: Uint8Array, from: number, length: number): number {
    const address = this.#allocate(units, shape | (length << labelsShift), "movable");
    this.memory.setWord(address, blockKey, word);
    const target = this.memory.octetsOf(address);
    const at = octetAt(address) + blockLabels * 4;
    for (let i = 0; i < length; i++) target[at + i] = octets[from + i]!;
    this.stage(address);
    return address;
  }

  /** Makes a version with the contents of `old` at another address. */
  copy(old: number): number {
    const units = this.memory.word(old, blockUnits);
    const address = this.#allocate(units, this.memory.word(old, blockShape), "movable");
    const from = octetAt(old);
    const contents = this.memory.octetsOf(old).subarray(from + blockKey * 4, from + units * 8);
    this.memory.octetsOf(address).set(contents, octetAt(address) + blockKey * 4);
    this.stage(address);
    return address;
  }

  /** Loads `key` with the block's own labels, folded below its key word. */
  load(address: number, key: NameKey): void {
    const length = this.memory.word(address, blockShape) >>> labelsShift;
    const at = octetAt(address) + blockLabels * 4;
    labels.set(this.memory.octetsOf(address).subarray(at, at + length));
    labels[length] = 0;
    key.load(labels, 0);
    key.fold(this.memory.word(address, blockKey), key.labels);
  }

  /** Schedules the reclamation of the block, for when every reader has reached the revision being staged. */
  stage(address: number): void {
    this.#revisions.stage(address);
  }

  /**
   * Newest version of a name, or 0. The name is `key` from `label` up to `end`, and its hash is in `folds[label]`;
   * `word` is the block's key word.
   */
  newest(table: Table, word: number, key: NameKey, label: number, end: number): number {
    const from = key.starts[label]!;
    return probe(this.memory, table.slots, key.folds[label]!, word, key.octets, from, key.starts[end]! - from);
  }

  /** Puts a version of the name with this hash in front of `old`, or into a new slot when `old` is 0. */
  put(table: Table, version: number, old: number, hash: number): void {
    if (old === 0) {
      table.insert(hash, version);
      return;
    }
    const staged = this.isStaged(old);
    this.memory.setWord(version, blockPrevious, staged ? this.memory.word(old, blockPrevious) : old);
    table.replace(hash, old, version);
    if (staged) this.mark(old, flagDead);
  }

  /** Removes a block from its table if it is still the newest version of its name; returns whether it was. */
  vacate(table: Table, address: number, hash: number): boolean {
    const isNewest = table.vacate(hash, address);
    if (isNewest) this.mark(address, flagDead);
    return isNewest;
  }

  /** Calls `freeing` with the previous version and frees that; every reader must have reached this version. */
  freePrevious(address: number, freeing: (previous: number) => void): void {
    const previous = this.memory.word(address, blockPrevious);
    this.memory.setWord(address, blockMade, 0);
    this.memory.setWord(address, blockPrevious, 0);
    if (previous === 0) return;
    freeing(previous);
    this.free(previous);
  }

  free(address: number): void {
    this.#allocator.free(address, this.memory.word(address, blockUnits));
  }

  /** Whether this version is not visible yet and may be altered in place. */
  isStaged(address: number): boolean {
    return this.memory.word(address, blockMade) === this.#revisions.next;
  }

  has(address: number, flag: number): boolean {
    return (this.memory.word(address, blockShape) & flag) !== 0;
  }

  mark(address: number, flag: number): void {
    this.memory.setWord(address, blockShape, this.memory.word(address, blockShape) | flag);
  }
}

const labels = new Uint8Array(256);
