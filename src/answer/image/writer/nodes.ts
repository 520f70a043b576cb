/** The writer's nodes: puts and removes RRsets, and maintains the empty non-terminals above them. */
import { invalid } from "../../../lib/problem.ts";
import type { Blocks } from "../memory/blocks.ts";
import type { NameKey } from "../memory/key.ts";
import {
  blockKey,
  blockShape,
  dataApex,
  dataCuts,
  dataNodes,
  flagAbsent,
  flagCut,
  flagDname,
  flagWildcardBelow,
  nodeBack,
  nodeChildren,
  nodeNext,
} from "../memory/layout.ts";
import type { Table } from "../memory/table.ts";
import { nodeUnits, type Part, partOf, readParts, shapeOf, writeParts } from "../rrset/parts.ts";
import type { Rrset } from "../rrset/rrset.ts";

/** An owner name in the zone with this data: the labels of `key` before index `apex` are below the zone's apex. */
export interface Owner {
  readonly data: number;
  readonly key: NameKey;
  readonly apex: number;
}

export class Nodes {
  readonly #blocks: Blocks;
  readonly #table: Table;

  constructor(blocks: Blocks, table: Table) {
    this.#blocks = blocks;
    this.#table = table;
  }

  /** Puts an RRset, in place of the earlier RRset of its type, which is returned and can be read until the next commit. */
  put(owner: Owner, rrset: Rrset): Part | undefined {
    const old = this.#newest(owner, 0);
    const parts = this.#parts(old);
    const kept = parts.filter((part) => part.type !== rrset.type);
    if (kept.length === mostTypes) throw invalid(`a name can have records of at most ${mostTypes} types`);
    this.#replace(owner, 0, old, [...kept, partOf(rrset)]);
    return parts.find((part) => part.type === rrset.type);
  }

  /** Removes an RRset, and the name when nothing is left at it or below it; returns the RRset as `put` does. */
  remove(owner: Owner, type: number): Part | undefined {
    const old = this.#newest(owner, 0);
    const parts = this.#parts(old);
    const kept = parts.filter((part) => part.type !== type);
    if (kept.length === parts.length) return undefined;
    if (kept.length > 0 || !this.#isBare(owner, 0, old)) this.#replace(owner, 0, old, kept);
    else this.#vanish(owner, 0, old);
    return parts.find((part) => part.type === type);
  }

  /** The RRset of a type at a name, including staged changes. */
  at(owner: Owner, type: number): Part | undefined {
    const node = this.#newest(owner, 0);
    return node === 0 || this.#blocks.has(node, flagAbsent) ? undefined : this.find(node, type);
  }

  /** A node's RRset, not copied; its octets may be altered only while the node is staged. */
  find(node: number, type: number): Part | undefined {
    return this.#parts(node).find((part) => part.type === type);
  }

  /** Replaces a node with a copy at another address, if it is the newest version of its name; `key` is a scratch key. */
  move(node: number, key: NameKey): void {
    const { memory } = this.#blocks;
    const data = memory.word(node, blockKey);
    // nodes of a removed zone are about to be freed
    if (this.#blocks.has(data, flagAbsent)) return;
    this.#blocks.load(node, key);
    if (this.#blocks.newest(this.#table, data, key, 0, key.labels) !== node) return;
    const version = this.#blocks.copy(node);
    if (this.#blocks.has(version, flagCut | flagDname)) this.#count(data, dataCuts, 1);
    this.#joinNeighbours(data, node, version, version);
    if (memory.word(data, dataApex) === node) memory.setWord(data, dataApex, version);
    this.#blocks.put(this.#table, version, node, key.folds[0]!);
  }

  /** Must be called before a version is freed. */
  forget(node: number): void {
    if (this.#blocks.has(node, flagCut | flagDname))
      this.#count(this.#blocks.memory.word(node, blockKey), dataCuts, -1);
  }

  #newest(owner: Owner, label: number): number {
    return this.#blocks.newest(this.#table, owner.data, owner.key, label, owner.apex);
  }

  /** Whether a name, other than the apex, has no names below it. */
  #isBare(owner: Owner, label: number, node: number): boolean {
    return label < owner.apex && this.#blocks.memory.word(node, nodeChildren) === 0;
  }

  /** Makes the next version of the name at `label` and, if the name is new, adds it to the name above. */
  #replace(owner: Owner, label: number, old: number, parts: readonly Part[]): void {
    const { memory } = this.#blocks;
    const exists = old !== 0 && !this.#blocks.has(old, flagAbsent);
    const version = this.#make(owner, label, parts);
    memory.setWord(version, nodeChildren, exists ? memory.word(old, nodeChildren) : 0);
    if (exists && this.#blocks.has(old, flagWildcardBelow)) this.#blocks.mark(version, flagWildcardBelow);
    if (this.#blocks.has(version, flagCut | flagDname)) this.#count(owner.data, dataCuts, 1);
    if (exists) this.#relink(owner.data, old, version);
    else this.#link(owner.data, version);
    if (label === owner.apex) memory.setWord(owner.data, dataApex, version);
    this.#blocks.put(this.#table, version, old, owner.key.folds[label]!);
    if (!exists && label < owner.apex) this.#adopt(owner, label);
  }

  /** Adds a child to the name above, which is created if it does not exist: an empty non-terminal. */
  #adopt(owner: Owner, child: number): void {
    const label = child + 1;
    let parent = this.#newest(owner, label);
    if (parent === 0 || this.#blocks.has(parent, flagAbsent)) {
      this.#replace(owner, label, parent, []);
      parent = this.#newest(owner, label);
    }
    this.#count(parent, nodeChildren, 1);
    if (isWildcard(owner.key, child)) this.#setWildcardBelow(owner, label, parent, flagWildcardBelow);
  }

  #vanish(owner: Owner, label: number, old: number): void {
    const version = this.#make(owner, label, [], flagAbsent);
    this.#unlink(owner.data, old);
    this.#blocks.put(this.#table, version, old, owner.key.folds[label]!);
    const above = label + 1;
    const parent = this.#newest(owner, above);
    this.#count(parent, nodeChildren, -1);
    if (isWildcard(owner.key, label)) this.#setWildcardBelow(owner, above, parent, 0);
    const rest = this.#newest(owner, above);
    if (this.#isBare(owner, above, rest) && this.#parts(rest).length === 0) this.#vanish(owner, above, rest);
  }

  #setWildcardBelow(owner: Owner, label: number, node: number, flag: number): void {
    if (!this.#blocks.isStaged(node)) this.#replace(owner, label, node, this.#parts(node));
    const version = this.#newest(owner, label);
    const { memory } = this.#blocks;
    memory.setWord(version, blockShape, (memory.word(version, blockShape) & ~flagWildcardBelow) | flag);
  }

  #make(owner: Owner, label: number, parts: readonly Part[], flags = 0): number {
    const from = owner.key.starts[label]!;
    const length = owner.key.starts[owner.apex]! - from;
    const units = nodeUnits(length, parts);
    const node = this.#blocks.make(units, flags | shapeOf(parts, length), owner.data, owner.key.octets, from, length);
    writeParts(this.#blocks.memory, node, parts);
    return node;
  }

  #parts(node: number): Part[] {
    return node === 0 ? [] : readParts(this.#blocks.memory, node);
  }

  #link(data: number, node: number): void {
    const { memory } = this.#blocks;
    const first = memory.word(data, dataNodes);
    memory.setWord(node, nodeNext, first);
    memory.setWord(node, nodeBack, 0);
    if (first !== 0) memory.setWord(first, nodeBack, node);
    memory.setWord(data, dataNodes, node);
  }

  #relink(data: number, old: number, node: number): void {
    const { memory } = this.#blocks;
    memory.setWord(node, nodeNext, memory.word(old, nodeNext));
    memory.setWord(node, nodeBack, memory.word(old, nodeBack));
    this.#joinNeighbours(data, old, node, node);
  }

  #unlink(data: number, node: number): void {
    const { memory } = this.#blocks;
    this.#joinNeighbours(data, node, memory.word(node, nodeNext), memory.word(node, nodeBack));
  }

  /** In the zone's list, links the neighbours of `node` to `next` and `back` instead. */
  #joinNeighbours(data: number, node: number, next: number, back: number): void {
    const { memory } = this.#blocks;
    const before = memory.word(node, nodeBack);
    const after = memory.word(node, nodeNext);
    if (before === 0) memory.setWord(data, dataNodes, next);
    else memory.setWord(before, nodeNext, next);
    if (after !== 0) memory.setWord(after, nodeBack, back);
  }

  #count(address: number, word: number, step: number): void {
    const { memory } = this.#blocks;
    memory.setWord(address, word, memory.word(address, word) + step);
  }
}

const mostTypes = 255;

const isWildcard = (key: NameKey, label: number) => {
  const at = key.starts[label]!;
  return key.octets[at] === 1 && key.octets[at + 1] === 42;
};
