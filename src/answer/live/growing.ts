/** Shared memory that grows in place, up to a bound: only address space is taken beforehand. */

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

  /** Views of a fixed length are the fast ones: they are made anew when another thread has made the memory grow. */
  refresh(): void {
    const { buffer } = this;
    if (this.octets.length === buffer.byteLength) return;
    this.words = new Int32Array(buffer, 0, buffer.byteLength >>> 2);
    this.doubles = new Float64Array(buffer, 0, buffer.byteLength >>> 3);
    this.octets = new Uint8Array(buffer, 0, buffer.byteLength);
  }

  /** Makes room for so many octets, and for as many again as there are; false when that is beyond the bound. */
  reserve(octets: number): boolean {
    const { byteLength, maxByteLength } = this.buffer;
    if (octets <= byteLength) return true;
    if (octets > maxByteLength) return false;
    this.buffer.grow(Math.min(maxByteLength, Math.max(byteLength * 2, octets)));
    this.refresh();
    return true;
  }
}
