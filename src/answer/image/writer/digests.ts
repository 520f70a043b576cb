/** The sums of the zones' RRsets, from which their digests are made: two words for each zone, by its number. */
import type { NameKey } from "../memory/key.ts";
import { type DigestedZone, digestOf, emptySum, replaceIn } from "../rrset/digest.ts";
import type { Part } from "../rrset/parts.ts";
import type { Rrset } from "../rrset/rrset.ts";

const wordsPerZone = 2;

export class ZoneSums {
  #sums = new Int32Array(1024);

  /** Sets the sum of a zone with a new number, or with new contents. */
  set(number: number, sum: Int32Array = none): void {
    this.#sums = holding(this.#sums, number);
    this.#sums.set(sum, number * wordsPerZone);
  }

  /** Replaces an RRset at the name in `key` by another; either may be undefined. */
  replace(number: number, key: NameKey, former: Part | undefined, rrset: Rrset | undefined): void {
    replaceIn(this.#sums, number * wordsPerZone, key, former, rrset);
  }

  digestOf(number: number, zone: DigestedZone): number {
    return digestOf(this.#sums, number * wordsPerZone, zone);
  }

  /** The sums of the zones below this number, for a copy of the image. */
  state(count: number): string {
    const sums = holding(this.#sums, count);
    return Buffer.from(sums.buffer, sums.byteOffset, count * wordsPerZone * 4).toString("base64");
  }

  restore(state: string): void {
    const octets = Buffer.from(state, "base64");
    this.#sums = holding(this.#sums, octets.length / (wordsPerZone * 4));
    new Uint8Array(this.#sums.buffer).set(octets);
  }
}

const none = emptySum();

/** Sums with room for this number: a longer copy if needed. */
function holding(sums: Int32Array<ArrayBuffer>, number: number): Int32Array<ArrayBuffer> {
  const least = (number + 1) * wordsPerZone;
  if (least <= sums.length) return sums;
  const longer = new Int32Array(Math.max(least, sums.length * 2));
  longer.set(sums);
  return longer;
}
