/** Looks up addresses in the tree of one file. */
import type { GeoTree } from "./data.ts";
import { parseRecord, type StatedFacts } from "./records.ts";

/** The facts of one file about an address. */
export interface Found {
  readonly facts: StatedFacts;
  /** The number of leading bits that determined the facts; all addresses with these bits have the same facts. */
  readonly depth: number;
  /** The bits of all facts that the file states. */
  readonly states: number;
}

/** Leading bits of IPv4 addresses that are followed in advance, since most of a look-up's time is access to memory. */
const headBits = 16;

export class Tree {
  readonly #states: number;
  readonly #nodes: Int32Array;
  readonly #records: Int32Array;
  readonly #root6: number;
  /** For each head of an IPv4 address: the word that it leads to, and the number of bits that lead there. */
  readonly #heads = new Int32Array(1 << headBits);
  readonly #headDepths = new Uint8Array(1 << headBits);

  constructor(tree: GeoTree) {
    this.#states = tree.states;
    this.#nodes = new Int32Array(tree.nodes);
    this.#records = new Int32Array(tree.records);
    this.#root6 = tree.root6;
    this.#fillHeads(tree.root4, 0, 0);
  }

  /** Returns the facts about the address of `length` octets; `base` is added to the depth, for bits before the address. */
  find(octets: Uint8Array, offset: number, length: 4 | 16, base: number): Found {
    const nodes = this.#nodes;
    let at = this.#root6;
    let depth = 0;
    if (length === 4) {
      const head = (octets[offset]! << 8) | octets[offset + 1]!;
      at = this.#heads[head]!;
      depth = this.#headDepths[head]!;
    }
    // terminates: a tree is never deeper than its addresses are long
    while (at >= 0) {
      at = nodes[at * 2 + ((octets[offset + (depth >> 3)]! >> (7 - (depth & 7))) & 1)]!;
      depth++;
    }
    return { facts: parseRecord(this.#records, ~at), depth: depth + base, states: this.#states };
  }

  /** Fills the heads that begin with the `depth` bits of `first`, which lead to `word`. */
  #fillHeads(word: number, depth: number, first: number): void {
    const count = 1 << (headBits - depth);
    if (word >= 0 && count > 1) {
      this.#fillHeads(this.#nodes[word * 2]!, depth + 1, first);
      this.#fillHeads(this.#nodes[word * 2 + 1]!, depth + 1, first + count / 2);
    } else {
      this.#heads.fill(word, first, first + count);
      this.#headDepths.fill(depth, first, first + count);
    }
  }
}
