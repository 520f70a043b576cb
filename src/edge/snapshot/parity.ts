/** Parity of a snapshot's chunks: of each group of them, one that is damaged can be made again from the others. */
import { chunkOctets } from "../../answer/image/memory/dirty.ts";

/** Chunks of a group, at most. */
const groupSize = 32;

/** How many groups so many chunks are in, and so how many chunks of parity there are. */
export const groupsOf = (chunks: number) => Math.ceil(chunks / groupSize);

/** Neighbours are in different groups: damage to as many chunks in a row as there are groups can be made good. */
export const groupOf = (chunk: number, groups: number) => chunk % groups;

export const emptyParity = (groups: number) => Array.from({ length: groups }, () => new Uint8Array(chunkOctets));

/** Adds a chunk to a parity, or takes it out again. A chunk has whole words. */
export function addToParity(parity: Uint8Array, chunk: Uint8Array): void {
  const sum = wordsOf(parity);
  const words = wordsOf(chunk);
  for (let i = 0; i < words.length; i++) sum[i]! ^= words[i]!;
}

const wordsOf = ({ buffer, byteOffset, length }: Uint8Array) => new Int32Array(buffer, byteOffset, length >>> 2);
