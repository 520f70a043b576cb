/** Parses MaxMind DB files (`.mmdb`, format 2). Checks the whole file, so that look-ups cannot meet damage. */
import { invalid } from "../../lib/problem.ts";
import type { GeoTree, ParsedGeo } from "../facts/data.ts";
import { Records } from "../facts/records.ts";
import { MmdbData } from "./mmdb-data.ts";
import { readMmdbRecord } from "./mmdb-record.ts";

const marker = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1");
/** The metadata begin within this many octets of the end. */
const metadataRoom = 128 * 1024;
/** Zero octets between the tree and the data section; data pointers include them. */
const separator = 16;

/** Whether a file has the marker of a MaxMind DB. */
export const isMmdb = (octets: Buffer) => findMarker(octets) >= 0;

/** Throws a Problem with the reason, without the path. */
export function parseMmdb(octets: Buffer): ParsedGeo {
  const end = findMarker(octets);
  if (end < 0) throw invalid("not a MaxMind DB, or cut off: its metadata are missing");
  const metadata = readMetadata(octets.subarray(end + marker.length));
  const treeEnd = (metadata.nodes * metadata.recordSize) / 4;
  if (treeEnd + separator > end) throw invalid("the file is damaged or cut off: its search tree does not fit");
  const data = new MmdbData(octets.subarray(treeEnd + separator, end));
  const tree = new TreeCopy(octets, metadata, data).copy();
  const made = new Date(metadata.built * 1000).toISOString().slice(0, 10);
  return { kind: "mmdb", description: `${metadata.type} of ${made}`, tree };
}

interface Metadata {
  readonly nodes: number;
  /** The bits of one record; a node has two records. */
  readonly recordSize: number;
  readonly bits: 32 | 128;
  readonly type: string;
  /** Seconds since 1970. */
  readonly built: number;
}

const findMarker = (octets: Buffer) => {
  const from = Math.max(0, octets.length - metadataRoom);
  const at = octets.subarray(from).lastIndexOf(marker);
  return at < 0 ? -1 : from + at;
};

function readMetadata(octets: Buffer): Metadata {
  const data = new MmdbData(octets);
  const values = new Map<string, string | number | undefined>();
  data.entries(0, (key, at) => values.set(key, data.scalar(at)));
  const number = (key: string, allowed?: readonly number[]) => {
    const value = values.get(key);
    const whole = typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
    if (whole && (allowed?.includes(value) ?? true)) return value;
    throw invalid(
      `metadata: ${key} is ${value ?? "missing"}${allowed ? `, which is not ${allowed.join(" or ")}` : ""}`,
    );
  };
  number("binary_format_major_version", [2]);
  return {
    nodes: number("node_count"),
    recordSize: number("record_size", [24, 28, 32]),
    bits: number("ip_version", [4, 6]) === 4 ? 32 : 128,
    type: String(values.get("database_type") ?? "MaxMind DB"),
    built: Math.min(number("build_epoch"), 8e12),
  };
}

/** Copies a search tree to shared memory, with the facts of its data records. */
class TreeCopy {
  readonly #octets: Buffer;
  readonly #metadata: Metadata;
  readonly #data: MmdbData;
  readonly #nodes: SharedArrayBuffer;
  readonly #words: Int32Array;
  #used = 0;
  /** The number of each node's copy, from 1; 0 for nodes that are not copied yet. */
  readonly #copies: Int32Array;
  /** The levels of each copy, including itself; 0 until it is complete. Nodes can have several parents. */
  readonly #heights: Uint8Array;
  readonly #records = new Records();
  readonly #numbers = new Map<number, number>();

  constructor(octets: Buffer, metadata: Metadata, data: MmdbData) {
    this.#octets = octets;
    this.#metadata = metadata;
    this.#data = data;
    this.#nodes = new SharedArrayBuffer(metadata.nodes * 8);
    this.#words = new Int32Array(this.#nodes);
    this.#copies = new Int32Array(metadata.nodes);
    this.#heights = new Uint8Array(metadata.nodes);
  }

  copy(): GeoTree {
    const { nodes, bits } = this.#metadata;
    const root = nodes === 0 ? -1 : this.#copyNode(0, 0);
    const roots = bits === 32 ? { root4: root, root6: -1 } : { root4: this.#below(root, 96), root6: root };
    return { nodes: this.#nodes, ...roots, records: this.#records.share(), states: this.#records.states };
  }

  /** Follows zero bits from a word; IPv4 addresses are below the IPv6 prefix of 96 zero bits. */
  #below(word: number, zeros: number): number {
    let at = word;
    for (let depth = 0; depth < zeros && at >= 0; depth++) at = this.#words[at * 2]!;
    return at;
  }

  /**
   * Copies a node with its children and returns its number. Copies are in depth-first order, so that look-ups stay in
   * near memory. Throws when the tree has a cycle, or is deeper than its addresses are long.
   */
  #copyNode(node: number, depth: number): number {
    const known = this.#copies[node]! - 1;
    const height = known < 0 ? 1 : this.#heights[known]!;
    if (height === 0) throw invalid("the file is damaged: its search tree has a cycle");
    if (depth + height > this.#metadata.bits) {
      throw invalid(`the file is damaged: its search tree is deeper than ${this.#metadata.bits} levels`);
    }
    if (known >= 0) return known;
    const copy = this.#used++;
    this.#copies[node] = copy + 1;
    const [left, right] = [this.#copyChild(node, 0, depth), this.#copyChild(node, 1, depth)];
    this.#words[copy * 2] = left;
    this.#words[copy * 2 + 1] = right;
    this.#heights[copy] = 1 + Math.max(this.#heightOf(left), this.#heightOf(right));
    return copy;
  }

  #heightOf(word: number): number {
    return word < 0 ? 0 : this.#heights[word]!;
  }

  #copyChild(node: number, bit: 0 | 1, depth: number): number {
    const { nodes } = this.#metadata;
    const value = this.#recordOf(node, bit);
    return value < nodes ? this.#copyNode(value, depth + 1) : ~this.#numberOf(value - nodes);
  }

  /** Returns the record number of a data pointer; pointer 0 means no data. */
  #numberOf(pointer: number): number {
    if (pointer === 0) return 0;
    const known = this.#numbers.get(pointer);
    if (known !== undefined) return known;
    if (pointer < separator) throw invalid("the file is damaged: its search tree points between tree and data section");
    const number = this.#records.add(readMmdbRecord(this.#data, pointer - separator));
    this.#numbers.set(pointer, number);
    return number;
  }

  #recordOf(node: number, bit: 0 | 1): number {
    const octets = this.#octets;
    const size = this.#metadata.recordSize;
    const at = (node * size) / 4;
    if (size === 24) return octets.readUIntBE(at + bit * 3, 3);
    if (size === 32) return octets.readUInt32BE(at + bit * 4);
    const middle = octets[at + 3]!;
    return bit === 0
      ? (middle >> 4) * 2 ** 24 + octets.readUIntBE(at, 3)
      : (middle & 15) * 2 ** 24 + octets.readUIntBE(at + 4, 3);
  }
}
