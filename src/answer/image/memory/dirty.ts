/** The chunks of the image written while a copy is made. */

const chunkBits = 14;
/** Size of a chunk. A chunk is copied and checked as a whole. */
export const chunkOctets = 1 << chunkBits;

export class DirtyChunks {
  /** Pairs of a region's number and a chunk's number in it. */
  #chunks: number[] = [];
  /** By region and chunk: 1 if it is in the list. */
  #marked: Uint8Array[] = [];

  /** Marks octets `from` up to `to` of a region as written. */
  mark(region: number, from: number, to: number): void {
    for (let chunk = from >>> chunkBits; chunk < (to + chunkOctets - 1) >>> chunkBits; chunk++) {
      let marked = this.#marked[region];
      if (marked === undefined || chunk >= marked.length) {
        const larger = new Uint8Array(Math.max(64, 2 * chunk));
        if (marked) larger.set(marked);
        marked = this.#marked[region] = larger;
      }
      if (marked[chunk] === 1) continue;
      marked[chunk] = 1;
      this.#chunks.push(region, chunk);
    }
  }

  /** Number of chunks written since the last `take`. */
  count(): number {
    return this.#chunks.length / 2;
  }

  /** Chunks written since the last call, as pairs of region number and chunk number. */
  take(): Int32Array<ArrayBuffer> {
    const taken = Int32Array.from(this.#chunks);
    this.#chunks = [];
    this.#marked = [];
    return taken;
  }
}
