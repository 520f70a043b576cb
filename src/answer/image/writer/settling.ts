/** Settles blocks after every reader has reached the revision that staged them: keeps them or frees them. */
import type { Blocks } from "../memory/blocks.ts";
import type { NameKey } from "../memory/key.ts";
import { dataNodes, flagAbsent, flagData, flagDead, flagEntry, nodeNext } from "../memory/layout.ts";
import type { Table } from "../memory/table.ts";
import type { Nodes } from "./nodes.ts";
import type { Zones } from "./zones.ts";

const sweptAtOnce = 256;

export class Settling {
  readonly #blocks: Blocks;
  readonly #nodes: Nodes;
  readonly #zones: Zones;
  readonly #nodeTable: Table;
  readonly #zoneTable: Table;
  readonly #key: NameKey;

  constructor(blocks: Blocks, nodes: Nodes, zones: Zones, tables: { nodes: Table; zones: Table }, key: NameKey) {
    this.#blocks = blocks;
    this.#nodes = nodes;
    this.#zones = zones;
    this.#nodeTable = tables.nodes;
    this.#zoneTable = tables.zones;
    this.#key = key;
  }

  /** `retire` is for blocks just removed from a table: they are settled again, marked dead, after their readers. */
  settle(address: number, retire: (address: number) => void): void {
    const blocks = this.#blocks;
    if (blocks.has(address, flagDead)) {
      this.#nodes.forget(address);
      blocks.free(address);
    } else if (blocks.has(address, flagData)) {
      this.#sweep(address, retire);
    } else {
      blocks.settle(address, (previous) => this.#nodes.forget(previous));
      if (blocks.has(address, flagAbsent) && this.#vacate(address)) retire(address);
    }
  }

  #vacate(address: number): boolean {
    const key = this.#key;
    if (this.#blocks.has(address, flagEntry)) {
      this.#zones.loadEntry(address, key);
      return this.#blocks.vacate(this.#zoneTable, address, key.folds[0]!);
    }
    this.#nodes.load(address, key);
    return this.#blocks.vacate(this.#nodeTable, address, key.folds[0]!);
  }

  /** Retires nodes of a removed zone in steps; the data come last, because `forget` updates a count in them. */
  #sweep(data: number, retire: (address: number) => void): void {
    const { memory } = this.#blocks;
    let node = memory.word(data, dataNodes);
    for (let i = 0; i < sweptAtOnce && node !== 0; i++) {
      if (this.#vacate(node)) retire(node);
      node = memory.word(node, nodeNext);
    }
    memory.setWord(data, dataNodes, node);
    if (node === 0) this.#blocks.mark(data, flagDead);
    retire(data);
  }
}
