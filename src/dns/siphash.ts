/** SipHash-2-4, the keyed hash of server cookies (RFC 9018 section 4.4): 64 bits, in halves of 32. */

/** Each worker has one object per key; hashing allocates nothing. */
export class SipHash {
  /** The last hash; on the wire, `low` precedes `high`, each with the least significant octet first. */
  low = 0;
  high = 0;
  /** Words of the key: k0 low, k0 high, k1 low, k1 high. */
  readonly #key: Int32Array;

  /** `key` has 16 octets. */
  constructor(key: Uint8Array) {
    this.#key = Int32Array.from([0, 4, 8, 12], (at) => word(key, at, key.length));
  }

  /** Hashes the first `length` octets. */
  update(octets: Uint8Array, length: number): void {
    const key = this.#key;
    let l0 = key[0]! ^ 0x70736575;
    let h0 = key[1]! ^ 0x736f6d65;
    let l1 = key[2]! ^ 0x6e646f6d;
    let h1 = key[3]! ^ 0x646f7261;
    let l2 = key[0]! ^ 0x6e657261;
    let h2 = key[1]! ^ 0x6c796765;
    let l3 = key[2]! ^ 0x79746573;
    let h3 = key[3]! ^ 0x74656462;
    let low = 0;
    let high = 0;
    const compression = ((length >>> 3) + 1) * 2;
    for (let round = 0; round < compression + 4; round++) {
      if (round === compression) l2 ^= 0xff;
      if (round < compression && (round & 1) === 0) {
        low = word(octets, round * 4, length);
        high = word(octets, round * 4 + 4, length);
        if (round + 2 === compression) high |= length << 24;
        l3 ^= low;
        h3 ^= high;
      }
      let sum = (l0 + l1) | 0;
      h0 = (h0 + h1 + carry(l0, l1, sum)) | 0;
      l0 = sum;
      let turned = (l1 << 13) | (h1 >>> 19);
      h1 = ((h1 << 13) | (l1 >>> 19)) ^ h0;
      l1 = turned ^ l0;
      turned = l0;
      l0 = h0;
      h0 = turned;
      sum = (l2 + l3) | 0;
      h2 = (h2 + h3 + carry(l2, l3, sum)) | 0;
      l2 = sum;
      turned = (l3 << 16) | (h3 >>> 16);
      h3 = ((h3 << 16) | (l3 >>> 16)) ^ h2;
      l3 = turned ^ l2;
      sum = (l0 + l3) | 0;
      h0 = (h0 + h3 + carry(l0, l3, sum)) | 0;
      l0 = sum;
      turned = (l3 << 21) | (h3 >>> 11);
      h3 = ((h3 << 21) | (l3 >>> 11)) ^ h0;
      l3 = turned ^ l0;
      sum = (l2 + l1) | 0;
      h2 = (h2 + h1 + carry(l2, l1, sum)) | 0;
      l2 = sum;
      turned = (l1 << 17) | (h1 >>> 15);
      h1 = ((h1 << 17) | (l1 >>> 15)) ^ h2;
      l1 = turned ^ l2;
      turned = l2;
      l2 = h2;
      h2 = turned;
      if (round < compression && (round & 1) === 1) {
        l0 ^= low;
        h0 ^= high;
      }
    }
    this.low = l0 ^ l1 ^ l2 ^ l3;
    this.high = h0 ^ h1 ^ h2 ^ h3;
  }
}

/** The carry of the sum of two words. */
const carry = (a: number, b: number, sum: number) => ((a & b) | ((a | b) & ~sum)) >>> 31;

/** A word of four octets, least significant first; octets from `end` on are 0. */
function word(octets: Uint8Array, at: number, end: number): number {
  if (at + 4 <= end) return octets[at]! | (octets[at + 1]! << 8) | (octets[at + 2]! << 16) | (octets[at + 3]! << 24);
  let value = 0;
  for (let i = Math.min(at + 4, end) - 1; i >= at; i--) value = (value << 8) | octets[i]!;
  return value;
}
