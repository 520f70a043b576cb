/** The parts of an image that all of the writer's operations share: memory, tables, revisions, zones and nodes. */
import { Allocator, type AllocatorState } from "../memory/allocator.ts";
import { Blocks } from "../memory/blocks.ts";
import type { CopiedImage, ImageState } from "../memory/copy.ts";
import type { DirtyChunks } from "../memory/dirty.ts";
import { NameKey } from "../memory/key.ts";
import { headerNodeTable, headerVisible, headerZoneTable, unitOctets } from "../memory/layout.ts";
import { ImageMemory } from "../memory/memory.ts";
import { Revisions } from "../memory/revisions.ts";
import { type MemoryOptions, Segments } from "../memory/segments.ts";
import { Table } from "../memory/table.ts";
import { Compaction } from "./compaction.ts";
import { ZoneIds } from "./ids.ts";
import { Nodes } from "./nodes.ts";
import { reclaim } from "./reclamation.ts";
import { Sharing } from "./sharing.ts";
import { Zones } from "./zones.ts";

/** An image's state without the fields about its zones and records. */
type CoreState = Pick<ImageState, "seed" | "multiplier" | "visible" | "pending" | "nodes" | "zones" | "ids"> & {
  readonly allocator: AllocatorState;
};

/** A commit reclaims at most about this many blocks per staged block, plus a constant; `tidy` reclaims the rest. */
const reclaimedForStaged = 2;
const reclaimedAlways = 4096;
/** Number of table slots that can be moved in the time that one block takes. */
const slotsForBlock = 8;

export class ImageCore {
  readonly sharing: Sharing;
  readonly revisions: Revisions;
  readonly blocks: Blocks;
  readonly nodes: Nodes;
  readonly zones: Zones;
  /** Addresses of zone data by zone id. */
  readonly ids: ZoneIds;
  /** Scratch keys for names. */
  readonly key: NameKey;
  readonly apexKey: NameKey;
  readonly #segments: Segments;
  readonly #allocator: Allocator;
  readonly #tables: { readonly nodes: Table; readonly zones: Table; readonly ids: Table };
  readonly #compaction: Compaction;
  readonly #drop: (memory: SharedArrayBuffer) => void;

  constructor(seed: number, multiplier: number, options: MemoryOptions) {
    this.#drop = options.dropMemory ?? (() => {});
    this.sharing = new Sharing(seed, multiplier, () => this.#tables);
    this.revisions = new Revisions(this.sharing.header);
    this.key = new NameKey(this.sharing.seed, this.sharing.multiplier);
    this.apexKey = new NameKey(this.sharing.seed, this.sharing.multiplier);
    const memory = new ImageMemory(() => undefined);
    this.#segments = new Segments(memory, (segment, octets) => this.sharing.addSegment(segment, octets), options);
    this.#allocator = new Allocator(memory, this.#segments);
    this.blocks = new Blocks(memory, this.#allocator, this.revisions);
    this.#tables = this.#makeTables(options);
    this.nodes = new Nodes(this.blocks, this.#tables.nodes);
    const nameKey = new NameKey(this.sharing.seed, this.sharing.multiplier);
    this.zones = new Zones(this.blocks, this.#tables.zones, nameKey);
    this.ids = new ZoneIds(this.blocks, this.#tables.ids, this.sharing.seed);
    this.#compaction = new Compaction(this, this.#segments, this.#allocator);
  }

  /** Tables and segments, in the order of a copy. */
  regions(): SharedArrayBuffer[] {
    const { nodes, zones, ids } = this.#tables;
    return [...[nodes, zones, ids].map(({ slots }) => slots.buffer), ...this.#segments.buffers()];
  }

  /** Records the chunks of all further writes in `to`; undefined ends the recording. */
  track(to: DirtyChunks | undefined): void {
    for (const part of [this.blocks.memory, ...Object.values(this.#tables)]) part.dirty = to;
  }

  state(): CoreState {
    return {
      seed: this.sharing.seed,
      multiplier: this.sharing.multiplier,
      visible: Atomics.load(this.sharing.header, headerVisible),
      pending: this.revisions.pending(),
      nodes: this.#tables.nodes.state(),
      zones: this.#tables.zones.state(),
      ids: this.#tables.ids.state(),
      allocator: this.#allocator.state(),
    };
  }

  restore({ state, regions: [nodes, zones, ids, ...segments] }: CopiedImage): void {
    this.#tables.nodes.restore(state.nodes, nodes!);
    this.#tables.zones.restore(state.zones, zones!);
    this.#tables.ids.restore(state.ids, ids!);
    this.#allocator.restore(state.allocator, segments);
    this.revisions.restore(state.visible, state.pending);
    // there are no readers yet
    this.#reclaim(reclaimedAlways);
  }

  /** Makes the staged blocks visible. */
  commit(): void {
    const staged = this.revisions.publish();
    this.#reclaim(staged * reclaimedForStaged + reclaimedAlways);
  }

  /** See `tidy` of ImageWriter. */
  tidy(most: number): boolean {
    // not during a copy, which would have to copy the written chunks again
    const isCopied = this.blocks.memory.dirty !== undefined;
    const isCompacting = !isCopied && this.#compaction.step(most);
    const isMoving = !isCopied && Object.values(this.#tables).some((table) => table.tidy(most * slotsForBlock));
    this.revisions.publish();
    return this.#reclaim(most) > 0 || isCompacting || isMoving;
  }

  stats() {
    const tables = Object.values(this.#tables).reduce((sum, { slots }) => sum + slots.byteLength, 0);
    return {
      zones: this.ids.size,
      octets: this.sharing.header.byteLength + tables + this.#segments.octets,
      free: this.#segments.idle().free * unitOctets,
      waiting: this.revisions.waiting(),
      emptied: this.#compaction.emptied,
    };
  }

  #makeTables({ makeMemory }: MemoryOptions) {
    const change = (word: number, table: "nodes" | "zones") => (before: SharedArrayBuffer) => {
      this.sharing.changeTable(word, this.#tables[table]);
      this.revisions.dropLater(before);
    };
    return {
      nodes: new Table(change(headerNodeTable, "nodes"), makeMemory, 0),
      zones: new Table(change(headerZoneTable, "zones"), makeMemory, 1),
      // readers do not use the table of ids
      ids: new Table(this.#drop, makeMemory, 2),
    };
  }

  #reclaim(most: number): number {
    const parts = { blocks: this.blocks, nodes: this.nodes, tables: this.#tables, key: this.key };
    const reclaimed = this.revisions.reclaim((address, retire) => reclaim(parts, address, retire), most);
    this.revisions.drop(this.#drop);
    return reclaimed;
  }
}
