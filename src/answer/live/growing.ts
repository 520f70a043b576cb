/** Shared memory that grows in place up to a limit. Beyond its current size, only address space is reserved. */

export class GrowingMemory {
  readonly buffer: SharedArrayBuffer;
  words: Int32Array<SharedArrayBuffer>;
  octets: Uint8Array<SharedArrayBuffer>;
  doubles: Float64Array<SharedArrayBuffer>;

  constructor(buffer: SharedArrayBuffer) {
    this.buffer = buffer;
    this.words = new Int32Array(buffer, 0, buffer.byteLength >>> 2);
    this.octets = new Uint8Array(buffer, 0, buffer.byteLength);
    this.doubles = new Float64Array(buffer, 0, buffer.byteLength >>> 3);
  }

  static create(octets: number, most: number): GrowingMemory {
    return new GrowingMemory(new SharedArrayBuffer(Math.min(octets, most), { maxByteLength: most }));
  }

  /** Replaces the views after another thread grew the memory: views of fixed length are faster than growing views. */
  refresh(): void {
    const { buffer } = this;
    if (this.octets.length === buffer.byteLength) return;
    this.words = new Int32Array(buffer, 0, buffer.byteLength >>> 2);
    this.doubles = new Float64Array(buffer, 0, buffer.byteLength >>> 3);
    this.octets = new Uint8Array(buffer, 0, buffer.byteLength);
  }

  /** Grows to at least `octets` octets, to twice the size if possible; false if `octets` exceeds the limit. */
  reserve(octets: number): boolean {
    const { byteLength, maxByteLength } = this.buffer;
    if (octets <= byteLength) return true;
    if (octets > maxByteLength) return false;
    this.buffer.grow(Math.min(maxByteLength, Math.max(byteLength * 2, octets)));
    this.refresh();
    return true;
  }
}
