/** Follows an address through one file's tree. */
import type { GeoTree } from "./data.ts";
import { parseRecord, type StatedFacts } from "./records.ts";

/** What one file states about an address. */
export interface Found {
  readonly facts: StatedFacts;
  /** How many bits of the address led there; no other address that begins with them leads elsewhere. */
  readonly depth: number;
  /** Bits of the facts that the file states of anyone. */
  readonly states: number;
}

export class Tree {
  readonly #states: number;
  readonly #nodes: Int32Array;
  readonly #records: Int32Array;
  readonly #root4: number;
  readonly #root6: number;

  constructor(tree: GeoTree) {
    this.#states = tree.states;
    this.#nodes = new Int32Array(tree.nodes);
    this.#records = new Int32Array(tree.records);
    this.#root4 = tree.root4;
    this.#root6 = tree.root6;
  }

  /** What is stated about the address of `length` octets; `base` bits count as those in front of it. */
  find(octets: Uint8Array, offset: number, length: 4 | 16, base: number): Found {
    const nodes = this.#nodes;
    let at = length === 4 ? this.#root4 : this.#root6;
    let depth = 0;
    // ends: a tree is never deeper than its addresses are long
    while (at >= 0) {
      at = nodes[at * 2 + ((octets[offset + (depth >> 3)]! >> (7 - (depth & 7))) & 1)]!;
      depth++;
    }
    return { facts: parseRecord(this.#records, ~at), depth: depth + base, states: this.#states };
  }
}
