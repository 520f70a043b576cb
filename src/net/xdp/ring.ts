/** Rings in memory that is shared with the kernel: one side produces entries, the other one consumes them. */

/** Offsets in octets from the begin of a ring's memory (struct xdp_ring_offset). */
export interface RingOffsets {
  readonly producer: number;
  readonly consumer: number;
  readonly entries: number;
  readonly flags: number;
}

/** Words of an entry: an address and a length in `frame`, an address alone in `address`. */
export const entryWords = { frame: 4, address: 2 } as const;

/** XDP_RING_NEED_WAKEUP. */
const needsWakeUp = 1;

class Ring {
  protected readonly words: Uint32Array;
  protected readonly producer: number;
  protected readonly consumer: number;
  /** Our own index, which the other side sees when it is stored. It overflows at 2^32. */
  protected own: number;
  readonly #flags: number;
  readonly #first: number;
  readonly #stride: number;
  readonly size: number;

  constructor(words: Uint32Array, at: RingOffsets, size: number, stride: number, isConsumer: boolean) {
    this.words = words;
    this.producer = at.producer / 4;
    this.consumer = at.consumer / 4;
    this.#flags = at.flags / 4;
    this.#first = at.entries / 4;
    this.#stride = stride;
    this.size = size;
    this.own = Atomics.load(words, isConsumer ? this.consumer : this.producer);
  }

  /** Whether the kernel works on the ring only when it is called. */
  get needsWakeUp(): boolean {
    return (Atomics.load(this.words, this.#flags) & needsWakeUp) !== 0;
  }

  /** The first word of the entry `ahead` of our own index. */
  protected entry(ahead: number): number {
    return this.#first + ((this.own + ahead) & (this.size - 1)) * this.#stride;
  }
}

/** A ring that the kernel fills. */
export class ConsumerRing extends Ring {
  constructor(words: Uint32Array, at: RingOffsets, size: number, stride: number) {
    super(words, at, size, stride, true);
  }

  /** The number of entries to read. */
  get count(): number {
    return (Atomics.load(this.words, this.producer) - this.own) >>> 0;
  }

  /** The address in the n-th entry to read: an offset into the socket's memory, which is below 4 GB. */
  addressAt(n: number): number {
    return this.words[this.entry(n)]!;
  }

  /** The length in an entry of frames. */
  lengthAt(n: number): number {
    return this.words[this.entry(n) + 2]!;
  }

  /** Passes the addresses in the first entries, and gives them back. */
  skip(count: number, pass: (address: number) => void): void {
    for (let n = 0; n < Math.min(count, this.count); n++) pass(this.addressAt(n));
    this.release(Math.min(count, this.count));
  }

  /** Gives entries back to the kernel after they were read. */
  release(count: number): void {
    this.own = (this.own + count) >>> 0;
    Atomics.store(this.words, this.consumer, this.own);
  }
}

/** A ring that we fill. */
export class ProducerRing extends Ring {
  #written = 0;

  constructor(words: Uint32Array, at: RingOffsets, size: number, stride: number) {
    super(words, at, size, stride, false);
  }

  /** The number of published entries that the kernel has not taken yet. */
  get waiting(): number {
    return (this.own - Atomics.load(this.words, this.consumer)) >>> 0;
  }

  /** The addresses in those entries. */
  unsent(): number[] {
    const count = this.waiting;
    return Array.from({ length: count }, (_, n) => this.words[this.entry(n - count)]!);
  }

  /** The number of entries that can still be written. */
  get room(): number {
    return this.size - this.waiting - this.#written;
  }

  /** Writes an entry, which the kernel sees after `publish`. There must be room. */
  writeAddress(address: number): void {
    const entry = this.entry(this.#written++);
    this.words[entry] = address;
    this.words[entry + 1] = 0;
  }

  /** Likewise, in a ring of frames. */
  writeFrame(address: number, length: number): void {
    const entry = this.entry(this.#written++);
    this.words[entry] = address;
    this.words[entry + 1] = 0;
    this.words[entry + 2] = length;
    this.words[entry + 3] = 0;
  }

  publish(): void {
    if (this.#written === 0) return;
    this.own = (this.own + this.#written) >>> 0;
    this.#written = 0;
    Atomics.store(this.words, this.producer, this.own);
  }
}
