/** The memory that an image shares with its readers: header, current tables and segments, and updates of them. */
import {
  headerFormat,
  headerMultiplier,
  headerNodeTable,
  headerSeed,
  headerWords,
  headerZoneTable,
  imageFormat,
} from "../memory/layout.ts";
import type { ImageShare, SegmentShare } from "../memory/share.ts";
import type { Table } from "../memory/table.ts";

export class Sharing {
  readonly header = new Int32Array(new SharedArrayBuffer(headerWords * Int32Array.BYTES_PER_ELEMENT));
  readonly #tables: () => { readonly nodes: Table; readonly zones: Table };
  readonly #segments: SegmentShare[] = [];
  readonly #listeners: ((share: ImageShare) => void)[] = [];

  constructor(seed: number, multiplier: number, tables: () => { readonly nodes: Table; readonly zones: Table }) {
    this.#tables = tables;
    this.header[headerFormat] = imageFormat;
    this.header[headerSeed] = seed;
    this.header[headerMultiplier] = multiplier | 1;
    this.header[headerNodeTable] = 1;
    this.header[headerZoneTable] = 1;
  }

  get seed(): number {
    return this.header[headerSeed]!;
  }

  get multiplier(): number {
    return this.header[headerMultiplier]!;
  }

  /** Everything a new reader needs. */
  share(): ImageShare {
    return this.#shareOf(this.#segments);
  }

  onGrow(listener: (share: ImageShare) => void): void {
    this.#listeners.push(listener);
  }

  addSegment(segment: number, octets: SharedArrayBuffer): void {
    this.#segments.push({ segment, octets });
    this.#announce([{ segment, octets }]);
  }

  /** Announces a table, then makes it the current one. */
  changeTable(word: number, table: Table): void {
    this.#announce([]);
    Atomics.store(this.header, word, table.number);
  }

  #announce(segments: readonly SegmentShare[]): void {
    for (const listener of this.#listeners) listener(this.#shareOf(segments));
  }

  #shareOf(segments: readonly SegmentShare[]): ImageShare {
    const shareOf = ({ number, slots }: Table) => ({ number, slots: slots.buffer });
    const { nodes, zones } = this.#tables();
    return { header: this.header.buffer, nodes: shareOf(nodes), zones: shareOf(zones), segments: [...segments] };
  }
}
