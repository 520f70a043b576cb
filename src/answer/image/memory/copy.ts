/** Copies an image while it changes: another thread copies all chunks, then once more those written meanwhile. */
import type { AllocatorState } from "./allocator.ts";
import { chunkOctets, type DirtyChunks } from "./dirty.ts";
import { unitOctets } from "./layout.ts";
import type { TableState } from "./table.ts";

/** The writer's state besides the octets of tables and segments. */
export interface ImageState {
  /** Format of the layout of blocks and tables. */
  readonly format: number;
  readonly seed: number;
  readonly multiplier: number;
  readonly visible: number;
  /** Blocks whose previous version readers may still see. */
  readonly pending: readonly number[];
  readonly nodes: TableState;
  readonly zones: TableState;
  /** The table of the zones' ids. */
  readonly ids: TableState;
  readonly allocator: AllocatorState;
  readonly views: readonly string[];
  /** Ids of accounts, in the order of their numbers, which begin at 1; absent in images without accounts. */
  readonly accounts?: readonly string[];
  /** Ids of linked zones without a target, each with the target's name; absent in images without accounts. */
  readonly waiting?: readonly (readonly [id: string, target: string])[];
  /** Upper bound of the zones' numbers, exclusive. */
  readonly zoneNumbers: number;
  readonly records: number;
  /** The sums of the zones' RRsets, in base64; absent in images of earlier versions. */
  readonly sums?: string;
  /** The number of the last steered RRset. */
  readonly recipes: number;
}

/** The octets of an image at one moment: the tables of nodes, zones and ids, then the segments. */
export interface CopiedImage {
  readonly state: ImageState;
  readonly regions: readonly SharedArrayBuffer[];
}

/** The writer's side of a copy. */
export interface CopySource {
  readonly dirty: DirtyChunks;
  /** The current regions; a table replaced since the beginning makes the copy fail. */
  regions(): readonly SharedArrayBuffer[];
  state(): ImageState;
  end(): void;
}

/** The end of a copy: together with the chunks copied before, the image at that moment. */
export interface LastPart {
  readonly state: ImageState;
  readonly chunks: Int32Array<ArrayBuffer>;
  /** The contents of the chunks, one after another; the last chunk of a region may be short. */
  readonly octets: Uint8Array<ArrayBuffer>;
}

/** Size of a region, and how many octets from its beginning are in use, rounded up to whole chunks. */
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

  /** Chunks written since the last call, or all in the first call, as pairs of region number and chunk number. */
  take(): Int32Array<ArrayBuffer> {
    return this.#source.dirty.take();
  }

  /** Undefined when a table was replaced: the copy must start again. */
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

  /** Lets the writer stop tracking written chunks. */
  end(): void {
    this.#source.end();
  }
}
