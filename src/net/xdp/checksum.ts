/** Internet checksums (RFC 1071), over 16-bit words as a little-endian machine reads them: the result is stored alike. */

/** Memory that frames are in, as octets and as words. */
export interface FrameMemory {
  readonly octets: Uint8Array;
  readonly words: Uint16Array;
}

export const frameMemory = (memory: ArrayBuffer): FrameMemory => ({
  octets: new Uint8Array(memory),
  words: new Uint16Array(memory, 0, memory.byteLength >> 1),
});

/** The sum of the words from `from`, which is even, up to `to`; an odd last octet counts as if a 0 followed. */
export function sumOf({ octets, words }: FrameMemory, from: number, to: number): number {
  let sum = 0;
  const last = to >> 1;
  for (let word = from >> 1; word < last; word++) sum += words[word]!;
  return (to & 1) === 0 ? sum : sum + octets[to - 1]!;
}

/** Adds the carries: 16 bits. For sums of less than 2^16 words. */
export function folded(sum: number): number {
  const once = (sum & 0xffff) + (sum >>> 16);
  return (once & 0xffff) + (once >>> 16);
}
