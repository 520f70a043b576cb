/** Reads a snapshot into shared memory, and believes nothing that its checksums do not confirm. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { regionsOf } from "../answer/image/copy.ts";
import { chunkOctets } from "../answer/image/dirty.ts";
import {
  chunksOf,
  headerOctets,
  parseHeader,
  placesOf,
  type SnapshotHeader,
  type SnapshotState,
} from "./snapshot-format.ts";

type MakeMemory = (octets: number) => SharedArrayBuffer;

export interface ReadSnapshot {
  readonly state: SnapshotState;
  /** Tables of nodes, zones and ids, segments. */
  readonly regions: readonly SharedArrayBuffer[];
  readonly octets: number;
}

/** Throws when the file is not there, or an Error that says what is wrong with it. */
export function readSnapshot(path: string, makeMemory: MakeMemory): ReadSnapshot {
  const fd = openSync(path, "r");
  try {
    const { size } = fstatSync(fd);
    const header = parseHeader(readAt(fd, 0, Math.min(size, headerOctets)));
    if (size !== header.file) throw new Error(`it has ${size} octets, not ${header.file}`);
    const trailer = readTrailer(fd, header);
    return { ...trailer, regions: readRegions(fd, trailer, makeMemory), octets: size };
  } finally {
    closeSync(fd);
  }
}

interface Trailer {
  readonly state: SnapshotState;
  readonly sums: Buffer;
}

function readTrailer(fd: number, { body, file, stateOctets, trailerSum }: SnapshotHeader): Trailer {
  const from = headerOctets + body;
  const octets = readAt(fd, from, file - from);
  if (crc32(octets) !== trailerSum) throw new Error("its trailer is damaged");
  return { state: JSON.parse(octets.toString("utf8", 0, stateOctets)), sums: octets.subarray(stateOctets) };
}

function readRegions(fd: number, { state, sums }: Trailer, makeMemory: MakeMemory) {
  const extents = regionsOf(state.image);
  const places = placesOf(extents);
  let sum = 0;
  return extents.map(({ octets, used }, region) => {
    const memory = makeMemory(octets);
    const view = new Uint8Array(memory, 0, used);
    readInto(fd, view, places[region]!);
    for (let chunk = 0; chunk < chunksOf(view.length); chunk++, sum++) {
      const from = chunk * chunkOctets;
      if (crc32(view.subarray(from, from + chunkOctets)) !== sums.readUInt32LE(sum * 4)) {
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
