/** Writes small MaxMind DB files for tests. */

/** Values in the file; a plain number is written as an unsigned integer. */
export type MmdbValue =
  | string
  | number
  | boolean
  | { readonly double: number }
  | readonly MmdbValue[]
  | { readonly [key: string]: MmdbValue };

export interface MmdbOptions {
  readonly recordSize?: 24 | 28 | 32;
  readonly ipVersion?: 4 | 6;
  readonly type?: string;
}

/**
 * A file of networks, each with its record; a later network inside an earlier network replaces that part of it. In an
 * IPv6 file, IPv4 prefixes are below `::/96`; `networks` has them as IPv4.
 */
export function composeMmdb(networks: Readonly<Record<string, MmdbValue>>, options: MmdbOptions = {}): Buffer {
  const { recordSize = 28, ipVersion = 6, type = "Test" } = options;
  const root: Node = [undefined, undefined];
  const data = new DataSection();
  for (const [prefix, record] of Object.entries(networks)) plant(root, bitsOf(prefix, ipVersion), data.add(record));
  const nodes = numbered(root);
  const tree = Buffer.concat([...nodes.keys()].map((node) => composeNode(node, nodes, recordSize)));
  const metadata = composeValue({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_700_000_000,
    database_type: type,
    description: { en: "made by a test" },
    ip_version: ipVersion,
    languages: ["en"],
    node_count: nodes.size,
    record_size: recordSize,
  });
  return Buffer.concat([
    tree,
    Buffer.alloc(16),
    data.compose(),
    Buffer.from("\xab\xcd\xefMaxMind.com", "latin1"),
    metadata,
  ]);
}

type Child = Node | number | undefined;
type Node = [Child, Child];

function bitsOf(prefix: string, ipVersion: 4 | 6): number[] {
  const [address = "", length = ""] = prefix.split("/");
  const v4 = !address.includes(":");
  const octets = v4 ? address.split(".").map(Number) : ipv6Octets(address);
  const bits = octets.flatMap((octet) => [...octet.toString(2).padStart(8, "0")].map(Number)).slice(0, Number(length));
  return v4 && ipVersion === 6 ? [...Array<number>(96).fill(0), ...bits] : bits;
}

function ipv6Octets(address: string): number[] {
  const [head = "", tail = ""] = address.split("::");
  const groups = (side: string) => (side === "" ? [] : side.split(":").map((group) => Number.parseInt(group, 16)));
  const zeros = Array<number>(8 - groups(head).length - groups(tail).length).fill(0);
  return [...groups(head), ...zeros, ...groups(tail)].flatMap((group) => [group >> 8, group & 255]);
}

function plant(root: Node, bits: readonly number[], offset: number): void {
  let node = root;
  for (const bit of bits.slice(0, -1)) {
    const child = node[bit];
    const next: Node = Array.isArray(child) ? child : [child, child];
    node[bit] = next;
    node = next;
  }
  node[bits.at(-1)!] = offset;
}

/** Nodes by level, each with its number. */
function numbered(root: Node): Map<Node, number> {
  const nodes = new Map([[root, 0]]);
  for (const node of nodes.keys()) {
    for (const child of node) if (Array.isArray(child)) nodes.set(child, nodes.size);
  }
  return nodes;
}

function composeNode(node: Node, nodes: ReadonlyMap<Node, number>, recordSize: number): Buffer {
  const [left = 0, right = 0] = node.map((child) => {
    if (child === undefined) return nodes.size;
    return Array.isArray(child) ? nodes.get(child)! : nodes.size + 16 + child;
  });
  const octets = Buffer.alloc(recordSize / 4);
  if (recordSize === 32) {
    octets.writeUInt32BE(left);
    octets.writeUInt32BE(right, 4);
    return octets;
  }
  octets.writeUIntBE(left & 0xffffff, 0, 3);
  octets.writeUIntBE(right & 0xffffff, recordSize / 4 - 3, 3);
  if (recordSize === 28) octets[3] = ((left >>> 24) << 4) | (right >>> 24);
  return octets;
}

/** Equal records are written once; repeated values inside other records become pointers. */
class DataSection {
  readonly #parts: Buffer[] = [];
  readonly #offsets = new Map<string, number>();
  #length = 0;

  add(value: MmdbValue): number {
    const key = JSON.stringify(value);
    const known = this.#offsets.get(key);
    if (known !== undefined) return known;
    const octets = composeValue(value, (inner) => (isMap(inner) ? composePointer(this.add(inner)) : undefined));
    const offset = this.#length;
    this.#offsets.set(key, offset);
    this.#parts.push(octets);
    this.#length += octets.length;
    return offset;
  }

  compose(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

const isDouble = (value: MmdbValue): value is { readonly double: number } =>
  typeof value === "object" && "double" in value;

const isMap = (value: MmdbValue) => typeof value === "object" && !Array.isArray(value) && !isDouble(value);

function composePointer(offset: number): Buffer {
  if (offset < 2048) return Buffer.from([(1 << 5) | (offset >> 8), offset & 255]);
  if (offset < 526336) {
    const rest = offset - 2048;
    return Buffer.from([(1 << 5) | (1 << 3) | (rest >> 16), (rest >> 8) & 255, rest & 255]);
  }
  const octets = Buffer.from([(1 << 5) | (3 << 3), 0, 0, 0, 0]);
  octets.writeUInt32BE(offset, 1);
  return octets;
}

/** `inside` may replace a value inside this one with a pointer. */
function composeValue(value: MmdbValue, inside: (value: MmdbValue) => Buffer | undefined = () => undefined): Buffer {
  const nested = (inner: MmdbValue) => inside(inner) ?? composeValue(inner, inside);
  if (typeof value === "string") return Buffer.concat([control(2, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === "boolean") return control(14, value ? 1 : 0);
  if (typeof value === "number") return composeUnsigned(value);
  if (Array.isArray(value)) return Buffer.concat([control(11, value.length), ...value.map(nested)]);
  if (isDouble(value)) {
    const octets = Buffer.alloc(8);
    octets.writeDoubleBE(value.double);
    return Buffer.concat([control(3, 8), octets]);
  }
  const entries = Object.entries(value).flatMap(([key, inner]) => [composeValue(key), nested(inner)]);
  return Buffer.concat([control(7, Object.keys(value).length), ...entries]);
}

function composeUnsigned(value: number): Buffer {
  const octets = Buffer.alloc(4);
  octets.writeUInt32BE(value);
  const short = octets.subarray(value === 0 ? 4 : Math.clz32(value) >> 3);
  return Buffer.concat([control(6, short.length), short]);
}

function control(type: number, size: number): Buffer {
  const head = type > 7 ? 0 : type << 5;
  const extended = type > 7 ? [type - 7] : [];
  if (size < 29) return Buffer.from([head | size, ...extended]);
  if (size < 285) return Buffer.from([head | 29, ...extended, size - 29]);
  return Buffer.from([head | 30, ...extended, (size - 285) >> 8, (size - 285) & 255]);
}
