/** The segments of shared memory, as words and as octets, for reader and writer. */
import type { DirtyChunks } from "./dirty.ts";
import { unitBits, unitMask } from "./layout.ts";

/** Shared memory filled with 0. */
export const plainMemory = (octets: number) => new SharedArrayBuffer(octets);

export class ImageMemory {
  readonly words: (Int32Array | undefined)[] = [];
  readonly octets: (Uint8Array | undefined)[] = [];
  /** Written chunks of the segments; set by the writer while a copy is made. */
  dirty: DirtyChunks | undefined;
  readonly #fetch: (segment: number) => void;

  /** `fetch` is called for a segment that was not added yet; it must call `add`. */
  constructor(fetch: (segment: number) => void) {
    this.#fetch = fetch;
  }

  add(segment: number, buffer: SharedArrayBuffer): void {
    if (this.words[segment]) return;
    this.words[segment] = new Int32Array(buffer);
    this.octets[segment] = new Uint8Array(buffer);
  }

  /** Whether the segment exists and is long enough for a block at this address. */
  holds(address: number): boolean {
    return wordAt(address) + leastWords <= (this.words[address >>> unitBits]?.length ?? 0);
  }

  word(address: number, index: number): number {
    return this.wordsOf(address)[wordAt(address) + index]!;
  }

  setWord(address: number, index: number, value: number): void {
    this.wordsOf(address)[wordAt(address) + index] = value;
    if (this.dirty !== undefined) this.#mark(address, index << 2, 4);
  }

  /** Must be called before `units` units at this address are written without `setWord`. */
  touch(address: number, units: number): void {
    if (this.dirty !== undefined) this.#mark(address, 0, units << 3);
  }

  /** The words of the segment that the address is in; see `wordAt`. */
  wordsOf(address: number): Int32Array {
    const segment = address >>> unitBits;
    return this.words[segment] ?? this.#fetched(this.words, segment);
  }

  /** The octets of the segment that the address is in; see `octetAt`. */
  octetsOf(address: number): Uint8Array {
    const segment = address >>> unitBits;
    return this.octets[segment] ?? this.#fetched(this.octets, segment);
  }

  #mark(address: number, from: number, octets: number): void {
    const at = octetAt(address) + from;
    this.dirty?.mark(firstSegmentRegion + (address >>> unitBits), at, at + octets);
  }

  #fetched<View>(views: readonly (View | undefined)[], segment: number): View {
    this.#fetch(segment);
    const view = views[segment];
    if (!view) throw new Error(`image segment ${segment} was not delivered`);
    return view;
  }
}

/** Every block has at least this many words. */
const leastWords = 8;
/** In a copy of the image, the tables of nodes, zones and ids precede the segments. */
const firstSegmentRegion = 3;

/** Offsets of a block's words and octets in its segment. */
export const wordAt = (address: number) => (address & unitMask) << 1;
export const octetAt = (address: number) => (address & unitMask) << 3;
