/** Wire format: a bounded reader that follows compression pointers, and a writer that makes them. */

/** An error for octets or text that violate the protocol. The message is a predicate, as in `name ... is empty`. */
export class WireError extends Error {
  override name = "WireError";
}

const mostNameOctets = 255;
const pointerBits = 0xc0;

/** Reads from `at` up to `end`. Compression pointers are offsets in `octets`, which are a whole message. */
export class Reader {
  readonly octets: Uint8Array;
  readonly end: number;
  at: number;
  /** Offsets of labels in names already read, the only valid targets of pointers. Shared by all slices. */
  readonly #labels: Set<number>;

  constructor(octets: Uint8Array, at = 0, end = octets.length, labels = new Set<number>()) {
    this.octets = octets;
    this.at = at;
    this.end = end;
    this.#labels = labels;
  }

  get left(): number {
    return this.end - this.at;
  }

  u8(): number {
    return this.octets[this.#take(1)]!;
  }

  u16(): number {
    const at = this.#take(2);
    return (this.octets[at]! << 8) | this.octets[at + 1]!;
  }

  u32(): number {
    const at = this.#take(4);
    return (
      ((this.octets[at]! << 24) | (this.octets[at + 1]! << 16) | (this.octets[at + 2]! << 8) | this.octets[at + 3]!) >>>
      0
    );
  }

  /** A copy of the next `count` octets. */
  bytes(count: number): Uint8Array {
    const at = this.#take(count);
    return this.octets.slice(at, at + count);
  }

  /** A view of the next `count` octets. Reads cannot leave it, but pointers may lead anywhere in the message. */
  slice(count: number): Reader {
    const at = this.#take(count);
    return new Reader(this.octets, at, at + count, this.#labels);
  }

  /** The next name, uncompressed. A pointer leads to a label, never to a pointer, so there are at most 127 pointers. */
  name(): Uint8Array {
    const name = new Uint8Array(mostNameOctets);
    let length = 0;
    let at = this.at;
    let followed = false;
    for (;;) {
      if (at >= this.end) throw new WireError("runs past the end");
      const size = this.octets[at]!;
      if (size >= pointerBits) {
        if (at + 2 > this.end) throw new WireError("has half a compression pointer");
        if (!followed) this.at = at + 2;
        followed = true;
        at = this.#target(at);
        continue;
      }
      if (size > 63) throw new WireError("has a label of an unknown kind");
      if (at + 1 + size > this.end) throw new WireError("runs past the end");
      if (length + 1 + size > mostNameOctets) throw new WireError("is longer than 255 octets");
      if (!followed) this.#labels.add(at);
      name.set(this.octets.subarray(at, at + 1 + size), length);
      length += 1 + size;
      at += 1 + size;
      if (size === 0) break;
    }
    if (!followed) this.at = at;
    return name.slice(0, length);
  }

  /** The target of the pointer at `at`, which must be a label of an earlier name. */
  #target(at: number): number {
    const target = ((this.octets[at]! & 0x3f) << 8) | this.octets[at + 1]!;
    if (target >= at || !this.#labels.has(target)) {
      throw new WireError("has a compression pointer to something that is not an earlier label");
    }
    return target;
  }

  #take(count: number): number {
    const at = this.at;
    if (at + count > this.end) throw new WireError("ends too early");
    this.at = at + count;
    return at;
  }
}

/** Writes a message. Compressed names point to names that this writer wrote before. */
export class Writer {
  readonly octets: Uint8Array;
  at = 0;
  /** Offsets of written labels by the hash of the labels up to the root. With the two lists, `reset` undoes entries. */
  readonly #suffixes = new Map<number, number>();
  readonly #hashes: number[] = [];
  readonly #offsets: number[] = [];

  constructor(octets: Uint8Array) {
    this.octets = octets;
  }

  u8(value: number): void {
    this.octets[this.#grow(1)] = value;
  }

  u16(value: number): void {
    const at = this.#grow(2);
    this.octets[at] = value >>> 8;
    this.octets[at + 1] = value;
  }

  u32(value: number): void {
    const at = this.#grow(4);
    this.octets[at] = value >>> 24;
    this.octets[at + 1] = value >>> 16;
    this.octets[at + 2] = value >>> 8;
    this.octets[at + 3] = value;
  }

  bytes(octets: Uint8Array): void {
    this.octets.set(octets, this.#grow(octets.length));
  }

  /**
   * Writes a name; with `compress`, its end may become a pointer. Compressed or not, later names may point to it. The
   * comparison of labels is case-sensitive, so that no name changes its spelling (RFC 4343 section 4.1).
   */
  name(name: Uint8Array, compress: boolean): void {
    const labels = suffixHashes(name);
    for (const { offset, hash } of labels) {
      const known = compress ? this.#suffixes.get(hash) : undefined;
      if (known !== undefined && this.#isAt(known, name, offset)) {
        this.u16(0xc000 | known);
        return;
      }
      const end = offset + 1 + name[offset]!;
      const at = this.at;
      this.bytes(name.subarray(offset, end));
      if (at < 0x4000 && !this.#suffixes.has(hash)) this.#remember(hash, at);
    }
    this.u8(0);
  }

  /** Goes back to an earlier `at`. Later names do not point to the names written since. */
  reset(at: number): void {
    while (this.#offsets.length > 0 && this.#offsets.at(-1)! >= at) {
      this.#offsets.pop();
      this.#suffixes.delete(this.#hashes.pop()!);
    }
    this.at = at;
  }

  #remember(hash: number, at: number): void {
    this.#suffixes.set(hash, at);
    this.#hashes.push(hash);
    this.#offsets.push(at);
  }

  /** Whether the labels written at `at` equal the labels of `name` from `offset` on. */
  #isAt(at: number, name: Uint8Array, offset: number): boolean {
    for (let mine = offset, theirs = at; ; ) {
      while (this.octets[theirs]! >= pointerBits) {
        theirs = ((this.octets[theirs]! & 0x3f) << 8) | this.octets[theirs + 1]!;
      }
      const size = name[mine]!;
      for (let i = 0; i <= size; i++) if (name[mine + i] !== this.octets[theirs + i]) return false;
      if (size === 0) return true;
      mine += size + 1;
      theirs += size + 1;
    }
  }

  #grow(count: number): number {
    const at = this.at;
    if (at + count > this.octets.length) throw new WireError("does not fit");
    this.at = at + count;
    return at;
  }
}

/** Each label's offset and the hash (FNV-1a) of the labels from it to the root, longest suffix first. */
function suffixHashes(name: Uint8Array): { offset: number; hash: number }[] {
  const labels: { offset: number; hash: number }[] = [];
  for (let offset = 0; name[offset] !== 0; offset += 1 + name[offset]!) labels.push({ offset, hash: 0 });
  let hash = 0x811c9dc5;
  for (let i = labels.length - 1; i >= 0; i--) {
    const label = labels[i]!;
    for (let at = label.offset; at <= label.offset + name[label.offset]!; at++) {
      hash = Math.imul(hash ^ name[at]!, 0x01000193);
    }
    label.hash = hash;
  }
  return labels;
}

/** Concatenates octets. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const octets = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    octets.set(part, at);
    at += part.length;
  }
  return octets;
}
