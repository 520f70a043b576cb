/** Addresses as numbers, and the blocks that prefixes mean. */

export interface Address {
  readonly family: 4 | 6;
  /** 32 bits for IPv4, 128 for IPv6. */
  readonly value: bigint;
}

/** All addresses from `first` to `last`. */
export interface Block {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

export const bitsOf = (family: 4 | 6) => (family === 4 ? 32 : 128);

export function scan(text: string): Address {
  if (!text.includes(":")) return { family: 4, value: join(text.split(".").map(Number), 8) };
  const [head = "", tail] = text.split("::");
  const groups = (side: string) => (side === "" ? [] : side.split(":").map((group) => Number.parseInt(group, 16)));
  const [before, after] = [groups(head), groups(tail ?? "")];
  const zeros = Array<number>(8 - before.length - after.length).fill(0);
  return { family: 6, value: join([...before, ...zeros, ...after], 16) };
}

/** IPv6 without `::`. */
export function print({ family, value }: Address): string {
  if (family === 4) return split(value, 4, 8).join(".");
  return split(value, 8, 16)
    .map((group) => group.toString(16))
    .join(":");
}

export function octetsOf({ family, value }: Address): Buffer {
  return Buffer.from(split(value, bitsOf(family) / 8, 8));
}

const mappedStart = 0xffffn << 32n;
/** Bits before the IPv4 address in an IPv4-mapped address (RFC 4291 section 2.5.5.2). */
export const mappedBits = 96;

/** The IPv4 address in an IPv4-mapped address; undefined for other addresses. */
export const unmapped = ({ family, value }: Address): Address | undefined =>
  family === 6 && value >> 32n === 0xffffn ? { family: 4, value: value - mappedStart } : undefined;

export const mapped = ({ value }: Address): Address => ({ family: 6, value: mappedStart + value });

/** The block of a prefix such as `192.0.2.0/24`; bits after its length are ignored. An address alone is a block of one. */
export function blockOf(prefix: string): Block {
  const [address = "", length] = prefix.split("/");
  const parsed = scan(address);
  return around(parsed, length === undefined ? bitsOf(parsed.family) : Number(length));
}

/** The block of the first `length` bits of an address. */
export function around({ family, value }: Address, length: number): Block {
  const size = 1n << BigInt(bitsOf(family) - length);
  const first = value - (value % size);
  return { family, first, last: first + size - 1n };
}

export const has = (block: Block, { family, value }: Address) =>
  block.family === family && block.first <= value && value <= block.last;

/** Leading bits that two addresses of a family share. */
const shared = (family: 4 | 6, a: bigint, b: bigint) => bitsOf(family) - (a ^ b).toString(2).replace(/^0$/, "").length;

/** The addresses of a family at which a block begins, or before which one ends, in order. */
export class Cuts {
  readonly #family: 4 | 6;
  readonly places: readonly bigint[];

  constructor(family: 4 | 6, blocks: readonly Block[]) {
    this.#family = family;
    const places = blocks.filter((block) => block.family === family).flatMap(({ first, last }) => [first, last + 1n]);
    this.places = [...new Set(places)].sort((a, b) => (a < b ? -1 : 1));
  }

  /** Length of the largest prefix around an address that no block begins or ends in. */
  depth(value: bigint): number {
    const next = this.after(value);
    const before = this.places[next - 1] ?? 0n;
    const behind = this.places[next] ?? 1n << BigInt(bitsOf(this.#family));
    const low = before > 0n ? shared(this.#family, value, before - 1n) + 1 : 0;
    const high = behind >> BigInt(bitsOf(this.#family)) === 0n ? shared(this.#family, value, behind) + 1 : 0;
    return Math.max(low, high);
  }

  /** The index in `places` of the first address after `value`. */
  after(value: bigint): number {
    let [low, high] = [0, this.places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.places[middle]! <= value) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  within({ first, last }: Block): readonly bigint[] {
    return this.places.slice(this.after(first), this.after(last));
  }
}

const join = (parts: readonly number[], bits: number) =>
  parts.reduce((value, part) => (value << BigInt(bits)) | BigInt(part), 0n);

const split = (value: bigint, parts: number, bits: number) =>
  Array.from({ length: parts }, (_, i) =>
    Number((value >> BigInt((parts - 1 - i) * bits)) & ((1n << BigInt(bits)) - 1n)),
  );
