/** Reads memory ahead for a batch of queries, before the first query is answered, so that their waits for memory overlap. */
import type { NameKey } from "../image/memory/key.ts";
import type { ImageReader } from "../image/reader.ts";
import { prefetchZone } from "./lookup.ts";

/** Maximum number of names: a batch has no more queries. */
const most = 64;

/**
 * A look-up waits for memory twice: for a slot of the table, and for the node. Here the look-ups of several names wait at
 * the same time. Call `begin`, then `add` for each query, then `take` for each query.
 */
export class Prefetch {
  readonly #image: ImageReader;
  readonly #keys: readonly NameKey[];
  readonly #zoneKey: NameKey;
  readonly #hashes = new Int32Array(most);
  #count = 0;
  #next = 0;
  /** Uses the result of reading ahead, which would otherwise be optimized away. */
  #read = 0;

  constructor(image: ImageReader) {
    this.#image = image;
    this.#keys = Array.from({ length: most }, () => image.key());
    this.#zoneKey = image.key();
  }

  /** Forgets the previous batch. The caller has entered the image, and leaves it after the last `take`. */
  begin(): void {
    this.#count = 0;
    this.#next = 0;
  }

  /** Loads the name at `at` if it is well formed and ends before `to`. Call it in the order of the names' positions. */
  add(packet: Uint8Array, at: number, to: number): void {
    if (this.#count === most || !isName(packet, at, to)) return;
    const key = this.#keys[this.#count]!;
    key.load(packet, at);
    this.#hashes[this.#count++] = prefetchZone(this.#image, key);
  }

  /** The entry of the zone of the name at `at`; 0 if there is none. */
  zoneOf(packet: Uint8Array, at: number, to: number): number {
    if (!isName(packet, at, to)) return 0;
    this.#zoneKey.load(packet, at);
    prefetchZone(this.#image, this.#zoneKey);
    return this.#zoneKey.entry;
  }

  /** The key that was loaded with the name at `at`, or undefined. Call it once for each name. */
  take(packet: Uint8Array, at: number): NameKey | undefined {
    if (this.#next === this.#count) return undefined;
    if (this.#next === 0 && this.#count > 1) this.#read = this.#image.readAhead(this.#hashes, this.#count) ^ this.#read;
    while (this.#next < this.#count && this.#keys[this.#next]!.sourceAt < at) this.#next++;
    if (this.#next === this.#count) return undefined;
    const key = this.#keys[this.#next]!;
    if (key.sourceAt !== at || key.source !== packet) return undefined;
    this.#next++;
    return key;
  }
}

function isName(packet: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; ) {
    const size = packet[at]!;
    if (size > 63) return false;
    at += size + 1;
    if (size === 0) return at - from <= 255;
  }
  return false;
}
