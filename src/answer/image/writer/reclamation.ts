/**
 * Frees memory that no reader can see any more. A block is reclaimed after every reader has reached the revision that
 * staged it: its previous version is freed, and the block itself if it is dead or absent.
 */
import type { Blocks } from "../memory/blocks.ts";
import type { NameKey } from "../memory/key.ts";
import { dataNodes, flagAbsent, flagData, flagDead, flagEntry, nodeNext } from "../memory/layout.ts";
import type { Table } from "../memory/table.ts";
import type { Nodes } from "./nodes.ts";

interface ReclaimParts {
  readonly blocks: Blocks;
  readonly nodes: Nodes;
  readonly tables: { readonly nodes: Table; readonly zones: Table };
  /** A scratch key for names. */
  readonly key: NameKey;
}

const sweptAtOnce = 256;

/** Calls `retire` with blocks that it removed from a table: marked dead, they come again after their readers. */
export function reclaim(parts: ReclaimParts, address: number, retire: (address: number) => void): void {
  const { blocks, nodes } = parts;
  if (blocks.has(address, flagDead)) {
    nodes.forget(address);
    blocks.free(address);
  } else if (blocks.has(address, flagData)) {
    sweep(parts, address, retire);
  } else {
    blocks.freePrevious(address, (previous) => nodes.forget(previous));
    if (blocks.has(address, flagAbsent) && vacate(parts, address)) retire(address);
  }
}

function vacate({ blocks, tables, key }: ReclaimParts, address: number): boolean {
  blocks.load(address, key);
  return blocks.vacate(blocks.has(address, flagEntry) ? tables.zones : tables.nodes, address, key.folds[0]!);
}

/** Retires the nodes of a removed zone in steps, and the zone's data after them: `forget` still counts in the data. */
function sweep(parts: ReclaimParts, data: number, retire: (address: number) => void): void {
  const { blocks } = parts;
  const { memory } = blocks;
  let node = memory.word(data, dataNodes);
  for (let i = 0; i < sweptAtOnce && node !== 0; i++) {
    if (vacate(parts, node)) retire(node);
    node = memory.word(node, nodeNext);
  }
  memory.setWord(data, dataNodes, node);
  if (node === 0) blocks.mark(data, flagDead);
  retire(data);
}
