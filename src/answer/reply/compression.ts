/** The offsets of the names in a message, to which later names can point. One object serves all messages. */
import type { NameKey } from "../image/memory/key.ts";

const slots = 512;
/** Maximum number of stored names, so that probes stay short. */
const fullest = 384;

export class Compression {
  readonly #hashes = new Int32Array(slots);
  readonly #offsets = new Uint16Array(slots);
  /** A slot is in use if it has the number of the current message. */
  readonly #messages = new Int32Array(slots);
  /** Slots in the order in which they were filled. */
  readonly #order = new Uint16Array(fullest);
  #message = 0;
  #count = 0;
  #out: Uint8Array = new Uint8Array(0);
  #start = 0;

  /** Forgets all names; the next message is written to `out` from `start` on. */
  begin(out: Uint8Array, start: number): void {
    this.#out = out;
    this.#start = start;
    this.#message = (this.#message + 1) | 0 || 1;
    this.#count = 0;
  }

  /** Stores the offset of the name from `label` on; `key` must have been folded up to the root, with base 0. */
  remember(key: NameKey, label: number, offset: number): void {
    if (offset > 0x3fff || this.#count === fullest) return;
    const hash = key.folds[label]!;
    let slot = hash & (slots - 1);
    while (this.#messages[slot] === this.#message) {
      if (this.#hashes[slot] === hash) return;
      slot = (slot + 1) & (slots - 1);
    }
    this.#messages[slot] = this.#message;
    this.#hashes[slot] = hash;
    this.#offsets[slot] = offset;
    this.#order[this.#count++] = slot;
  }

  /** Forgets the names at or after `offset`, where the message was cut. */
  cut(offset: number): void {
    for (; this.#count > 0; this.#count--) {
      const slot = this.#order[this.#count - 1]!;
      if (this.#offsets[slot]! < offset) return;
      this.#messages[slot] = 0;
    }
  }

  /** Offset of the name from `label` on; -1 when it is not in the message. */
  find(key: NameKey, label: number): number {
    const hash = key.folds[label]!;
    for (let slot = hash & (slots - 1); this.#messages[slot] === this.#message; slot = (slot + 1) & (slots - 1)) {
      if (this.#hashes[slot] !== hash) continue;
      const offset = this.#offsets[slot]!;
      return this.#isAt(offset, key.source, key.sourceAt + key.starts[label]!) ? offset : -1;
    }
    return -1;
  }

  /** Compares case-sensitively, so that compression changes no name's spelling (RFC 4343 section 4.1). */
  #isAt(offset: number, source: Uint8Array, at: number): boolean {
    const out = this.#out;
    let there = this.#start + offset;
    for (let here = at; ; ) {
      while (out[there]! >= 0xc0) there = this.#start + (((out[there]! & 0x3f) << 8) | out[there + 1]!);
      const size = source[here]!;
      for (let i = 0; i <= size; i++) if (source[here + i] !== out[there + i]) return false;
      if (size === 0) return true;
      here += size + 1;
      there += size + 1;
    }
  }
}
