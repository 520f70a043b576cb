/**
 * The layout of a snapshot: a header of fixed size, the regions of the image, and a trailer with the state as JSON and
 * a CRC-32 of each used chunk. A region takes as much space in the file as in memory; only the used part is written.
 * Numbers are little endian.
 */
import { crc32 } from "node:zlib";
import type { ImageState } from "../../answer/image/memory/copy.ts";
import { chunkOctets } from "../../answer/image/memory/dirty.ts";
import type { ServedNetworks } from "../../sync/change.ts";
import type { Quarantined } from "../follow/quarantine.ts";

/** Changed when an older reader would misread the file. */
const snapshotFormat = 1;
export const headerOctets = 64;

const magic = Buffer.from("FAIRZONE");
const at = { format: 8, stateOctets: 12, body: 16, file: 24, trailerSum: 32, headerSum: 60 } as const;

/** The state that a snapshot describes. */
export interface SnapshotState {
  readonly revision: number;
  /** The mark of the revision; undefined in snapshots of earlier versions. */
  readonly mark?: string | undefined;
  /** Identifies the store; undefined if that is unknown. */
  readonly store: string | undefined;
  /** Unix milliseconds at which the image was known to be current. */
  readonly currentAt: number;
  /** Networks whose zones are answered from the image. */
  readonly networks: ServedNetworks;
  /** Names and zones that are not answered as stored, because their data made the engine fail. */
  readonly quarantined: readonly Quarantined[];
  readonly image: ImageState;
}

export interface SnapshotHeader {
  readonly stateOctets: number;
  /** Octets from the start of the first region to the end of the used part of the last one. */
  readonly body: number;
  readonly file: number;
  readonly trailerSum: number;
}

export function composeHeader({ stateOctets, body, file, trailerSum }: SnapshotHeader): Buffer {
  const header = Buffer.alloc(headerOctets);
  magic.copy(header);
  header.writeUInt32LE(snapshotFormat, at.format);
  header.writeUInt32LE(stateOctets, at.stateOctets);
  header.writeDoubleLE(body, at.body);
  header.writeDoubleLE(file, at.file);
  header.writeUInt32LE(trailerSum, at.trailerSum);
  header.writeUInt32LE(crc32(header.subarray(0, at.headerSum)), at.headerSum);
  return header;
}

/** Throws when these octets are not the header of a snapshot in this format. */
export function parseHeader(header: Buffer): SnapshotHeader {
  if (header.length < headerOctets || !header.subarray(0, magic.length).equals(magic)) {
    throw new Error("it is not a snapshot that this version can read");
  }
  if (header.readUInt32LE(at.headerSum) !== crc32(header.subarray(0, at.headerSum))) {
    throw new Error("its header is damaged");
  }
  const format = header.readUInt32LE(at.format);
  if (format !== snapshotFormat) throw new Error(`it has format ${format}; this version reads ${snapshotFormat}`);
  return {
    stateOctets: header.readUInt32LE(at.stateOctets),
    body: header.readDoubleLE(at.body),
    file: header.readDoubleLE(at.file),
    trailerSum: header.readUInt32LE(at.trailerSum),
  };
}

/** The offset of each region in the file. */
export function offsetsOf(regions: readonly { readonly octets: number }[]): number[] {
  let offset = headerOctets;
  return regions.map(({ octets }) => {
    offset += octets;
    return offset - octets;
  });
}

export const chunksOf = (octets: number) => Math.ceil(octets / chunkOctets);
