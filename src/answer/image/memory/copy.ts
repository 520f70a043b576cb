/** A copy of an image that goes on changing: most of it is copied by another thread, and again what was written meanwhile. */
import type { AllocatorState } from "./allocator.ts";
import { chunkOctets, type DirtyChunks } from "./dirty.ts";
import { unitOctets } from "./layout.ts";
import type { TableState } from "./table.ts";

/** What the writer knows besides the octets of tables and segments. */
export interface ImageState {
  /** Of the layout of blocks and tables. */
  readonly format: number;
  readonly seed: number;
  readonly multiplier: number;
  readonly visible: number;
  /** Blocks that readers may still see an older version of. */
  readonly pending: readonly number[];
  readonly nodes: TableState;
  readonly zones: TableState;
  /** Of the zones' ids. */
  readonly ids: TableState;
  readonly allocator: AllocatorState;
  readonly views: readonly string[];
  /** The zones' numbers lie below. */
  readonly zoneNumbers: number;
  readonly records: number;
  readonly recipes: number;
}

/** The octets of an image at one moment: the tables of nodes, zones and ids, then the segments. */
export interface ImageCopied {
  readonly state: ImageState;
  readonly regions: readonly SharedArrayBuffer[];
}

/** What a copy needs of its writer. */
export interface CopySource {
  readonly dirty: DirtyChunks;
  /** As they are now; a region that is another one than before ends the copy. */
  regions(): readonly SharedArrayBuffer[];
  state(): ImageState;
  end(): void;
}

/** The last part of a copy: with it and what was copied before, the copy is the image as it was at that moment. */
export interface LastPart {
  readonly state: ImageState;
  readonly chunks: Int32Array<ArrayBuffer>;
  /** The contents of the chunks, one after another; the last chunk of a region may be a short one. */
  readonly octets: Uint8Array<ArrayBuffer>;
}

/** Octets of a region, and how many of them count: whole chunks from the beginning on, or all. */
export interface RegionExtent {
  readonly octets: number;
  readonly used: number;
}

export function regionsOf({ nodes, zones, ids, allocator }: ImageState): RegionExtent[] {
  const tables = [nodes, zones, ids].map(({ octets }) => ({ octets, used: octets }));
  const segments = allocator.segments.map(({ octets, end }) => {
    const chunks = Math.ceil((end * unitOctets) / chunkOctets);
    return { octets, used: Math.min(octets, chunks * chunkOctets) };
  });
  return [...tables, ...segments];
}

export class ImageCopy {
  readonly #source: CopySource;
  readonly #begun: readonly SharedArrayBuffer[];

  constructor(source: CopySource) {
    this.#source = source;
    this.#begun = source.regions();
    for (const [region, { used }] of regionsOf(source.state()).entries()) source.dirty.mark(region, 0, used);
  }

  regions(): readonly SharedArrayBuffer[] {
    return this.#source.regions();
  }

  /** How many chunks `take` would return now. */
  waiting(): number {
    return this.#source.dirty.count();
  }

  /** Chunks that were written since the last call, at the first one all: pairs of a region's number and a chunk's. */
  take(): Int32Array<ArrayBuffer> {
    return this.#source.dirty.take();
  }

  /** Undefined when a table has become another one: the copy has to begin anew. */
  finish(): LastPart | undefined {
    const regions = this.#source.regions();
    if (this.#begun.some((buffer, region) => regions[region] !== buffer)) return undefined;
    const chunks = this.take();
    const octets = new Uint8Array((chunks.length / 2) * chunkOctets);
    let length = 0;
    for (let i = 0; i < chunks.length; i += 2) {
      const from = chunks[i + 1]! * chunkOctets;
      const buffer = regions[chunks[i]!]!;
      const view = new Uint8Array(buffer, from, Math.min(chunkOctets, buffer.byteLength - from));
      octets.set(view, length);
      length += view.length;
    }
    return { state: this.#source.state(), chunks, octets: octets.subarray(0, length) };
  }

  /** The writer need not keep books any more. */
  end(): void {
    this.#source.end();
  }
}
