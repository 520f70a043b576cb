/** Reads a snapshot into shared memory and verifies all of its checksums. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { regionsOf } from "../../answer/image/memory/copy.ts";
import { chunkOctets } from "../../answer/image/memory/dirty.ts";
import { chunksOf, headerOctets, offsetsOf, parseHeader, type SnapshotHeader, type SnapshotState } from "./format.ts";

type MakeMemory = (octets: number) => SharedArrayBuffer;

export interface ReadSnapshot {
  readonly state: SnapshotState;
  /** Tables of nodes, zones and ids, then segments. */
  readonly regions: readonly SharedArrayBuffer[];
  readonly octets: number;
}

/** Throws the system's error when the file cannot be read, an Error with the reason when its contents are invalid. */
export function readSnapshot(path: string, makeMemory: MakeMemory): ReadSnapshot {
  const fd = openSync(path, "r");
  try {
    const { size } = fstatSync(fd);
    const header = parseHeader(readAt(fd, 0, Math.min(size, headerOctets)));
    if (size !== header.file) throw new Error(`it has ${size} octets, not ${header.file}`);
    const { state, sums } = readTrailer(fd, header);
    return { state, regions: readRegions(fd, state, sums, makeMemory), octets: size };
  } finally {
    closeSync(fd);
  }
}

function readTrailer(fd: number, { stateOctets, body, file, trailerSum }: SnapshotHeader) {
  const octets = readAt(fd, headerOctets + body, file - headerOctets - body);
  if (crc32(octets) !== trailerSum) throw new Error("its trailer is damaged");
  const state: SnapshotState = JSON.parse(octets.toString("utf8", 0, stateOctets));
  return { state, sums: octets.subarray(stateOctets) };
}

function readRegions(fd: number, { image }: SnapshotState, sums: Buffer, makeMemory: MakeMemory): SharedArrayBuffer[] {
  const extents = regionsOf(image);
  const offsets = offsetsOf(extents);
  let next = 0;
  return extents.map(({ octets, used }, region) => {
    const memory = makeMemory(octets);
    const view = new Uint8Array(memory, 0, used);
    readInto(fd, view, offsets[region]!);
    for (let chunk = 0; chunk < chunksOf(used); chunk++) {
      const from = chunk * chunkOctets;
      if (crc32(view.subarray(from, from + chunkOctets)) !== sums.readUInt32LE(4 * next++)) {
        throw new Error(`chunk ${chunk} of region ${region} is damaged`);
      }
    }
    return memory;
  });
}

function readAt(fd: number, position: number, length: number): Buffer {
  const octets = Buffer.alloc(length);
  readInto(fd, octets, position);
  return octets;
}

function readInto(fd: number, target: Uint8Array, position: number): void {
  for (let done = 0; done < target.length; ) {
    const count = readSync(fd, target, done, target.length - done, position + done);
    if (count === 0) throw new Error("it ends too early");
    done += count;
  }
}
