/** Arrays of struct mmsghdr for recvmmsg and sendmmsg, in memory at fixed addresses. */

import { libc } from "../../lib/system/libc.ts";
import { sockaddrRoom } from "../socket/address.ts";

export const batchSize = 64;
/** Octets of control data per datagram; enough for the packet information of either family. */
export const controlRoom = 64;

/** struct mmsghdr of 64-bit Linux, in words of 4 octets; pointers take two words. */
export const header = {
  words: 16,
  name: 0,
  nameLength: 2,
  vector: 4,
  vectorLength: 6,
  control: 8,
  controlLength: 10,
  flags: 12,
  length: 14,
} as const;
export const headerOctets = header.words * 4;
/** struct iovec: a pointer, then the length. */
export const vectorWords = 4;

/** Memory that the kernel uses by address; referenced here for the life of the thread. */
const pinned: ArrayBuffer[] = [];

export function pin(octets: number): { memory: ArrayBuffer; address: number } {
  const memory = new ArrayBuffer(octets);
  pinned.push(memory);
  return { memory, address: libc().addressOf(memory) };
}

/** The addresses of the first sockaddr, control data and datagram, and the stride and size of datagram buffers. */
export interface Layout {
  readonly names: number;
  readonly control: number;
  readonly data: number;
  readonly stride: number;
  readonly room: number;
}

/** Makes a header and a vector for each slot of a batch. */
export function makeHeaders({ names, control, data, stride, room }: Layout) {
  const headers = pin(batchSize * headerOctets);
  const vectors = pin(batchSize * vectorWords * 4);
  const headerPointers = new BigUint64Array(headers.memory);
  const vectorPointers = new BigUint64Array(vectors.memory);
  for (let slot = 0; slot < batchSize; slot++) {
    const first = (slot * header.words) / 2;
    headerPointers[first + header.name / 2] = BigInt(names + slot * sockaddrRoom);
    headerPointers[first + header.vector / 2] = BigInt(vectors.address + slot * vectorWords * 4);
    headerPointers[first + header.vectorLength / 2] = 1n;
    headerPointers[first + header.control / 2] = BigInt(control + slot * controlRoom);
    vectorPointers[slot * 2] = BigInt(data + slot * stride);
    vectorPointers[slot * 2 + 1] = BigInt(room);
  }
  return {
    address: headers.address,
    headers: new Uint32Array(headers.memory),
    vectors: new Uint32Array(vectors.memory),
  };
}
