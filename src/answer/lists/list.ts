/** Lists in metadata in binary form: composed where a record is staged, and read in place by queries. */

/** Where the lists of a record are: set before each query, because the image may move the record. */
export class ListMemory {
  octets: Uint8Array;
  /** Offset of the lists in `octets`. */
  at = 0;

  constructor(octets: Uint8Array = new Uint8Array(0)) {
    this.octets = octets;
  }
}

/** A list in the image; the kind of its key reads it. */
export class StoredList {
  readonly memory: ListMemory;
  readonly #offset: number;

  /** `offset` is counted from where the lists of the record begin. */
  constructor(memory: ListMemory, offset: number) {
    this.memory = memory;
    this.#offset = offset;
  }

  /** The place of an octet of the list in `memory.octets`. */
  at(octet: number): number {
    return this.memory.at + this.#offset + octet;
  }

  read32(octet: number): number {
    return read32(this.memory.octets, this.at(octet));
  }
}

/** The lists of one metadata key. */
export interface ListKind<Value> {
  /** Undefined for a value that is not valid, which is the same as unset. Never throws. */
  compose(value: unknown): Uint8Array | undefined;
  open(list: StoredList): Value;
}

/** Returns a function that opens a list of the image, or a value as the API has it. */
export const reader =
  <Value>({ compose, open }: ListKind<Value>) =>
  (value: unknown): Value | undefined => {
    if (value instanceof StoredList) return open(value);
    const octets = compose(value);
    return octets && open(new StoredList(new ListMemory(octets), 0));
  };

export const read32 = (octets: Uint8Array, at: number) =>
  octets[at]! * 0x1000000 + ((octets[at + 1]! << 16) | (octets[at + 2]! << 8) | octets[at + 3]!);

/** Metadata have an array, or a single element without an array. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
