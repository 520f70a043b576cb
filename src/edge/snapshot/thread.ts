/** The thread that writes one snapshot: copies chunks of shared memory into a file, then renames it into place. */
import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { crc32 } from "node:zlib";
import { regionsOf } from "../../answer/image/memory/copy.ts";
import { chunkOctets } from "../../answer/image/memory/dirty.ts";
import { chunksOf, composeHeader, headerOctets, offsetsOf, type SnapshotState } from "./format.ts";
import { putInPlace, type SnapshotFiles } from "./names.ts";

/** Orders to the thread, which replies to each. */
export type SnapshotTask =
  /** Writes chunks, given as pairs: a region's number, and a chunk's number in that region. */
  | { readonly kind: "copy"; readonly regions: readonly SharedArrayBuffer[]; readonly chunks: Int32Array }
  /** Writes the last chunks, whose contents are in `octets`, and the state; completes the file. */
  | {
      readonly kind: "finish";
      readonly regions: readonly SharedArrayBuffer[];
      readonly chunks: Int32Array;
      readonly octets: Uint8Array;
      readonly state: SnapshotState;
    };

export type SnapshotReply =
  | { readonly kind: "done"; readonly octets: number }
  | { readonly kind: "failed"; readonly reason: string };

const files: SnapshotFiles = workerData.files;
const chunk = new Uint8Array(chunkOctets);
/** Checksums of the chunks written so far: by region, then by chunk. */
const sums: number[][] = [];
let fd: number | undefined;

parentPort?.on("message", (task: SnapshotTask) => {
  let reply: SnapshotReply;
  try {
    reply = { kind: "done", octets: task.kind === "copy" ? copy(task.regions, task.chunks) : finish(task) };
  } catch (error) {
    abandon();
    reply = { kind: "failed", reason: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(reply);
});

/** Writes chunks of shared memory. A chunk that changes during the copy is sent again later. */
function copy(regions: readonly SharedArrayBuffer[], chunks: Int32Array): number {
  const offsets = offsetsIn(regions);
  for (let i = 0; i < chunks.length; i += 2) {
    const region = chunks[i]!;
    const from = chunks[i + 1]! * chunkOctets;
    const view = new Uint8Array(regions[region]!, from, Math.min(chunkOctets, regions[region]!.byteLength - from));
    // a private copy: the checksum must match the octets that are written
    chunk.set(view);
    put(offsets, region, chunks[i + 1]!, chunk.subarray(0, view.length));
  }
  return (chunks.length / 2) * chunkOctets;
}

function finish({ regions, chunks, octets, state }: Extract<SnapshotTask, { kind: "finish" }>): number {
  const offsets = offsetsIn(regions);
  let at = 0;
  for (let i = 0; i < chunks.length; i += 2) {
    const length = Math.min(chunkOctets, regions[chunks[i]!]!.byteLength - chunks[i + 1]! * chunkOctets);
    put(offsets, chunks[i]!, chunks[i + 1]!, octets.subarray(at, at + length));
    at += length;
  }
  return seal(state);
}

function seal(state: SnapshotState): number {
  const extents = regionsOf(state.image);
  const body = offsetsOf(extents).at(-1)! + extents.at(-1)!.used - headerOctets;
  const json = Buffer.from(JSON.stringify(state));
  const list = extents.flatMap(({ used }, region) =>
    Array.from({ length: chunksOf(used) }, (_, number) => sums[region]?.[number] ?? sumOfZeros(used, number)),
  );
  // a segment that was emptied during the copy may have been written up to its former length
  ftruncateSync(opened(), headerOctets + body);
  const trailer = Buffer.concat([json, Buffer.from(Uint32Array.from(list).buffer)]);
  const file = headerOctets + body + trailer.length;
  writeAll(trailer, headerOctets + body);
  writeAll(composeHeader({ stateOctets: json.length, body, file, trailerSum: crc32(trailer) }), 0);
  fsyncSync(opened());
  closeSync(opened());
  fd = undefined;
  putInPlace(files);
  return file;
}

/** The checksum of a chunk that was never written: it is all zeros in memory and in the file. */
const sumOfZeros = (octets: number, number: number) =>
  crc32(new Uint8Array(Math.min(chunkOctets, octets - number * chunkOctets)));

function put(offsets: readonly number[], region: number, number: number, octets: Uint8Array): void {
  writeAll(octets, offsets[region]! + number * chunkOctets);
  sums[region] ??= [];
  sums[region][number] = crc32(octets);
}

function writeAll(octets: Uint8Array, position: number): void {
  for (let done = 0; done < octets.length; ) {
    done += writeSync(opened(), octets, done, octets.length - done, position + done);
  }
}

function opened(): number {
  if (fd === undefined) {
    mkdirSync(dirname(files.writing), { recursive: true, mode: 0o700 });
    fd = openSync(files.writing, "w", 0o600);
  }
  return fd;
}

const offsetsIn = (regions: readonly SharedArrayBuffer[]) =>
  offsetsOf(regions.map(({ byteLength }) => ({ octets: byteLength })));

function abandon(): void {
  if (fd !== undefined) closeSync(fd);
  fd = undefined;
  rmSync(files.writing, { force: true });
}
