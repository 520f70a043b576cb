/** Builds the binary tree of `GeoTree` from ranges of addresses. */
import type { GeoTree } from "./data.ts";
import type { Records } from "./records.ts";

/** The leaf of record 0, which has no facts. */
const nothing = -1;

export class TreeBuilder {
  #words = new Int32Array(1024);
  #used = 0;
  #root4 = nothing;
  #root6 = nothing;

  /**
   * Sets the records of all addresses from `first` to `last` (octets of one family, `first <= last`). `replace`
   * returns the new record number for the present number, which is 0 where there is no record.
   */
  put(first: Uint8Array, last: Uint8Array, replace: (present: number) => number): void {
    const range: Range = {
      first,
      last,
      firstEnd: first.length * 8 - equalBitsAtEnd(first, 0),
      lastEnd: last.length * 8 - equalBitsAtEnd(last, 1),
      replace,
    };
    if (first.length === 4) this.#root4 = this.#put(this.#root4, 0, true, true, range);
    else this.#root6 = this.#put(this.#root6, 0, true, true, range);
  }

  /** Copies the tree to shared memory, with its records. */
  share(records: Records): GeoTree {
    const nodes = new SharedArrayBuffer(this.#used * 4);
    new Int32Array(nodes).set(this.#words.subarray(0, this.#used));
    return { nodes, root4: this.#root4, root6: this.#root6, records: records.share(), states: records.states };
  }

  /**
   * Returns the new word for `word` at `depth`. `low` and `high`: whether the path so far is that of the first and of the
   * last address.
   */
  #put(word: number, depth: number, low: boolean, high: boolean, range: Range): number {
    const bounded = (low && depth < range.firstEnd) || (high && depth < range.lastEnd);
    if (!bounded) return this.#fill(word, range);
    const node = word < 0 ? this.#split(word) : word;
    const [lowBit, highBit] = [bitAt(range.first, depth), bitAt(range.last, depth)];
    for (let bit = low ? lowBit : 0; bit <= (high ? highBit : 1); bit++) {
      const child = this.#words[node * 2 + bit]!;
      const put = this.#put(child, depth + 1, low && bit === lowBit, high && bit === highBit, range);
      this.#words[node * 2 + bit] = put;
    }
    return node;
  }

  #fill(word: number, range: Range): number {
    if (word < 0) return ~range.replace(~word);
    for (const at of [word * 2, word * 2 + 1]) {
      const filled = this.#fill(this.#words[at]!, range);
      this.#words[at] = filled;
    }
    return word;
  }

  #split(leaf: number): number {
    if (this.#used + 2 > this.#words.length) {
      const larger = new Int32Array(this.#words.length * 2);
      larger.set(this.#words);
      this.#words = larger;
    }
    this.#words.fill(leaf, this.#used, this.#used + 2);
    this.#used += 2;
    return this.#used / 2 - 1;
  }
}

interface Range {
  readonly first: Uint8Array;
  readonly last: Uint8Array;
  /** Bits of the first address up to its last 1, and of the last address up to its last 0: later bits bound nothing. */
  readonly firstEnd: number;
  readonly lastEnd: number;
  readonly replace: (present: number) => number;
}

const bitAt = (octets: Uint8Array, at: number) => (octets[at >> 3]! >> (7 - (at & 7))) & 1;

function equalBitsAtEnd(octets: Uint8Array, bit: 0 | 1): number {
  let count = 0;
  while (count < octets.length * 8 && bitAt(octets, octets.length * 8 - 1 - count) === bit) count++;
  return count;
}
