/** Reads a snapshot into shared memory, and believes nothing that its checksums do not confirm. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { regionsOf } from "../../answer/image/memory/copy.ts";
import { chunkOctets } from "../../answer/image/memory/dirty.ts";
import {
  chunksOf,
  endPlaces,
  headerOctets,
  parseHeader,
  placesOf,
  type SnapshotHeader,
  type SnapshotState,
} from "./format.ts";
import { addToParity, emptyParity, groupOf } from "./parity.ts";

type MakeMemory = (octets: number) => SharedArrayBuffer;

export interface ReadSnapshot {
  readonly state: SnapshotState;
  /** Tables of nodes, zones and ids, segments. */
  readonly regions: readonly SharedArrayBuffer[];
  readonly octets: number;
  /** What of it was damaged; all of that was made good. */
  readonly mended: readonly string[];
}

/** Throws when the file is not there, or an Error that says what is wrong with it and cannot be made good. */
export function readSnapshot(path: string, makeMemory: MakeMemory): ReadSnapshot {
  const fd = openSync(path, "r");
  try {
    const { size } = fstatSync(fd);
    const mended: string[] = [];
    const header = readHeader(fd, size, mended);
    const { state, sums } = readTrailer(fd, header, mended);
    const { regions, chunks } = readRegions(fd, state, makeMemory);
    mend({ fd, header, chunks, sums }, mended);
    return { state, regions, octets: size, mended };
  } finally {
    closeSync(fd);
  }
}

function readHeader(fd: number, size: number, mended: string[]): SnapshotHeader {
  const places = [0, Math.max(0, size - headerOctets)];
  return readEither("a header", places, mended, (place) => {
    const header = parseHeader(readAt(fd, place, Math.min(size, headerOctets)));
    if (size !== header.file) throw new Error(`it has ${size} octets, not ${header.file}`);
    return header;
  });
}

function readTrailer(fd: number, header: SnapshotHeader, mended: string[]) {
  const { trailer, secondTrailer } = endPlaces(header);
  const octets = readEither("a trailer", [trailer, secondTrailer], mended, (place) => {
    const read = readAt(fd, place, secondTrailer - trailer);
    if (crc32(read) !== header.trailerSum) throw new Error("its trailer is damaged");
    return read;
  });
  const state: SnapshotState = JSON.parse(octets.toString("utf8", 0, header.stateOctets));
  return { state, sums: octets.subarray(header.stateOctets) };
}

/** What is read at the first of these places that is good. Without one, what was wrong with the first is thrown. */
function readEither<T>(what: string, places: readonly number[], mended: string[], read: (place: number) => T): T {
  const found: T[] = [];
  let failure: unknown;
  for (const place of places) {
    try {
      found.push(read(place));
    } catch (error) {
      failure ??= error;
    }
  }
  if (found.length === 0) throw failure;
  if (found.length < places.length) mended.push(what);
  return found[0]!;
}

interface Chunk {
  readonly octets: Uint8Array;
  /** For messages. */
  readonly name: string;
}

function readRegions(fd: number, { image }: SnapshotState, makeMemory: MakeMemory) {
  const extents = regionsOf(image);
  const places = placesOf(extents);
  const chunks: Chunk[] = [];
  const regions = extents.map(({ octets, used }, region) => {
    const memory = makeMemory(octets);
    const view = new Uint8Array(memory, 0, used);
    readInto(fd, view, places[region]!);
    for (let chunk = 0; chunk < chunksOf(used); chunk++) {
      const from = chunk * chunkOctets;
      chunks.push({ octets: view.subarray(from, from + chunkOctets), name: `chunk ${chunk} of region ${region}` });
    }
    return memory;
  });
  return { regions, chunks };
}

interface Chunks {
  readonly fd: number;
  readonly header: SnapshotHeader;
  readonly chunks: readonly Chunk[];
  /** Of the chunks, then of those of the parity. */
  readonly sums: Buffer;
}

/** Makes each damaged chunk again from its group. */
function mend({ fd, header, chunks, sums }: Chunks, mended: string[]): void {
  const isWhole = (octets: Uint8Array, number: number) => crc32(octets) === sums.readUInt32LE(number * 4);
  const groups = header.parityChunks;
  const parity = emptyParity(groups);
  for (const [group, octets] of parity.entries()) {
    readInto(fd, octets, endPlaces(header).parity + group * chunkOctets);
    if (!isWhole(octets, chunks.length + group)) mended.push(`parity ${group}`);
  }
  for (const [number, { octets, name }] of chunks.entries()) {
    if (isWhole(octets, number)) continue;
    const made = parity[groupOf(number, groups)]!.slice();
    for (let other = groupOf(number, groups); other < chunks.length; other += groups) {
      if (other !== number) addToParity(made, chunks[other]!.octets);
    }
    octets.set(made.subarray(0, octets.length));
    // another one of its group is damaged, or their parity
    if (!isWhole(octets, number)) throw new Error(`${name} is damaged`);
    mended.push(name);
  }
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
