/** A packet that is written, and changed, in one buffer that is used again for the next. */
import type { Draw } from "../interop/differential/draw.ts";

const room = 65_535;
/** Octets beyond this limit are dropped; drawn packets are shorter. */
const most = 16_384;

export class PacketWriter {
  readonly #octets = Buffer.alloc(room);
  length = 0;

  start(): void {
    this.length = 0;
  }

  copy(): Buffer {
    return Buffer.from(this.#octets.subarray(0, this.length));
  }

  u8(value: number): void {
    if (this.length < most) this.#octets[this.length++] = value;
  }

  u16(value: number): void {
    this.u8((value >>> 8) & 255);
    this.u8(value & 255);
  }

  label(text: string): void {
    this.u8(text.length);
    for (let at = 0; at < text.length; at++) this.u8(text.charCodeAt(at));
  }

  /** A name as text, without escapes. */
  name(text: string): void {
    if (text !== "") for (const label of text.split(".")) this.label(label);
    this.u8(0);
  }

  fill(count: number, value: number): void {
    const end = Math.min(most, this.length + count);
    this.#octets.fill(value, this.length, end);
    this.length = end;
  }

  random(count: number, draw: Draw): void {
    for (let left = count; left > 0; left--) this.u8(draw.number(0, 255));
  }

  /** Masks the last octet with `bits`. */
  mask(bits: number): void {
    this.#octets[this.length - 1]! &= bits;
  }

  /** Writes the output of `write` after its length in two octets. */
  sized(write: () => unknown): void {
    const at = this.length;
    this.u16(0);
    write();
    this.#octets.writeUInt16BE(Math.max(0, this.length - at - 2), at);
  }

  set(at: number, value: number): void {
    if (at < this.length) this.#octets[at] = value;
  }

  insert(at: number, value: number): void {
    if (at > this.length || this.length >= most) return;
    this.#octets.copyWithin(at + 1, at, this.length++);
    this.#octets[at] = value;
  }

  remove(at: number): void {
    if (at < this.length) this.#octets.copyWithin(at, at + 1, this.length--);
  }

  /** Writes `count` octets from `at` on once more, at the end. */
  repeat(at: number, count: number): void {
    for (let from = at; from < Math.min(at + count, this.length); from++) this.u8(this.#octets[from]!);
  }

  /** RFC 4343: letters of a name in any case mean the same. */
  flipCase(from: number, draw: Draw): void {
    for (let at = from; at < this.length && this.#octets[at]! > 0; ) {
      const end = at + 1 + this.#octets[at]!;
      for (at++; at < end; at++) {
        const letter = this.#octets[at]! & ~0x20;
        if (letter >= 0x41 && letter <= 0x5a && draw.chance(0.5)) this.#octets[at]! ^= 0x20;
      }
    }
  }
}
