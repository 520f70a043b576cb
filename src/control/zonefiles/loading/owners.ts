/** A table of the types seen at each owner name, with a few octets per name, so that a million names fit in memory. */
import { randomBytes } from "node:crypto";
import { TypeCode } from "../../../dns/wire/constants.ts";

/** Types with their own bit, in the order of the bits; all other types share the last bit. */
const common = [
  ...["CNAME", "DNAME", "NS", "A", "AAAA", "MX", "TXT", "PTR", "SRV", "DS", "CAA", "TLSA", "SSHFP"],
  ...["NAPTR", "HTTPS", "SVCB", "SPF", "URI"],
] as const;
const bits = new Map<number, number>(common.map((name, bit) => [TypeCode[name], 1 << bit]));
const others = 1 << common.length;

const slotWords = 3;
const fullest = 0.6;

export class OwnerTypes {
  /** Per slot the two halves of the name's hash, and the types. A slot without types is free. */
  #slots = new Int32Array(1024 * slotWords);
  #count = 0;
  /** Random, so that a client cannot make names collide: two names with one hash would be treated as one. */
  readonly #seed = randomBytes(8);

  /** Returns the bits of the types seen at the name so far; types without their own bit share one. */
  of(name: Uint8Array): number {
    return this.#slots[this.#slotOf(name) + 2]!;
  }

  add(name: Uint8Array, type: number): void {
    const at = this.#slotOf(name);
    if (this.#slots[at + 2] === 0) this.#count++;
    this.#slots[at] = this.#low;
    this.#slots[at + 1] = this.#high;
    this.#slots[at + 2]! |= bitOf(type);
    if (this.#count * slotWords > this.#slots.length * fullest) this.#grow();
  }

  #low = 0;
  #high = 0;

  /** Returns the position of the name's slot, used or free, and leaves its hash in `#low` and `#high`. */
  #slotOf(name: Uint8Array): number {
    let low = this.#seed.readInt32LE(0);
    let high = this.#seed.readInt32LE(4);
    for (let i = 0; i < name.length; i++) {
      const octet = name[i]!;
      low = Math.imul(low ^ octet, 0x9e3779b1);
      low ^= low >>> 15;
      high = Math.imul(high + octet, 0x85ebca6b) ^ low;
      high ^= high >>> 13;
    }
    this.#low = low;
    this.#high = high;
    return freeOrSame(this.#slots, low, high);
  }

  #grow(): void {
    const old = this.#slots;
    const slots = new Int32Array(old.length * 2);
    for (let at = 0; at < old.length; at += slotWords) {
      if (old[at + 2] === 0) continue;
      slots.set(old.subarray(at, at + slotWords), freeOrSame(slots, old[at]!, old[at + 1]!));
    }
    this.#slots = slots;
  }
}

/** Whether a type, or another type with the same bit, is among those seen. */
export const hasType = (seen: number, type: number) => (seen & bitOf(type)) !== 0;

/** Returns the names of the types, as precisely as the rules about types at the same name need them. */
export const typesOf = (seen: number): readonly string[] =>
  seen === 0
    ? none
    : [...common.filter((_, bit) => (seen & (1 << bit)) !== 0), ...((seen & others) === 0 ? [] : ["another type"])];

const none: readonly string[] = [];

const bitOf = (type: number) => bits.get(type) ?? others;

function freeOrSame(slots: Int32Array, low: number, high: number): number {
  const mask = slots.length / slotWords - 1;
  for (let slot = (low ^ high) & mask; ; slot = (slot + 1) & mask) {
    const at = slot * slotWords;
    if (slots[at + 2] === 0 || (slots[at] === low && slots[at + 1] === high)) return at;
  }
}
