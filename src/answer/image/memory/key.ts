/** A name parsed for look-ups: octets in lower case, the start of each label, and seeded hashes of its labels. */

export class NameKey {
  /** Contains the loaded name in its original case, from `sourceAt` on; its labels have the same offsets. */
  source: Uint8Array = new Uint8Array(1);
  sourceAt = 0;
  /** Wire format, lower case. */
  readonly octets = new Uint8Array(256);
  /** Offset of label `i`; `starts[labels]` is the root octet. */
  readonly starts = new Uint8Array(129);
  /** Number of labels, without the root. */
  labels = 0;
  /** Total octets, including the root octet. */
  length = 0;
  /** `folds[i]`: hash of the labels from `i` up to the `end` of the last `fold`. */
  readonly folds = new Int32Array(129);
  /** Zone entry found for this name ahead of its look-up (0 if none), and the label index of its apex. */
  entry = 0;
  apex = 0;
  readonly #hashes = new Int32Array(128);
  readonly #seed: number;
  readonly #multiplier: number;

  constructor(seed: number, multiplier: number) {
    this.#seed = seed;
    this.#multiplier = multiplier;
  }

  /** Loads a name in wire format, which must be well formed. */
  load(source: Uint8Array, at: number): void {
    this.source = source;
    this.sourceAt = at;
    this.entry = 0;
    const { octets, starts } = this;
    const seed = this.#seed;
    const multiplier = this.#multiplier;
    let from = at;
    let to = 0;
    let count = 0;
    for (let size = source[from++]!; size !== 0; size = source[from++]!) {
      starts[count] = to;
      octets[to++] = size;
      let hash = seed;
      for (const end = from + size; from < end; from++) {
        let octet = source[from]!;
        if (octet >= 65 && octet <= 90) octet |= 32;
        octets[to++] = octet;
        hash = Math.imul(hash ^ octet, multiplier);
        hash ^= hash >>> 15;
      }
      this.#hashes[count++] = hash;
    }
    starts[count] = to;
    octets[to++] = 0;
    this.labels = count;
    this.length = to;
  }

  /**
   * Loads the name from `at` up to `end` if it ends with the labels of `above` from `label` on, which were folded to
   * `fold`. Folds the labels before those, and returns their number; -1 if the name does not end so.
   */
  loadBelow(source: Uint8Array, at: number, end: number, above: NameKey, label: number, fold: number): number {
    const shared = above.starts[label]!;
    const own = end - at - (above.length - shared);
    const count = own < 0 ? -1 : this.#loadLabels(source, at, own);
    if (count < 0) return -1;
    const { octets, folds, starts } = this;
    for (let i = own, there = shared; there < above.length; i++, there++) {
      if (lowerCase(source[at + i]!) !== above.octets[there]) return -1;
      octets[i] = above.octets[there]!;
    }
    for (let i = label; i <= above.labels; i++) {
      starts[count + i - label] = above.starts[i]! - shared + own;
      this.#hashes[count + i - label] = above.#hashes[i]!;
    }
    this.source = source;
    this.sourceAt = at;
    this.entry = 0;
    this.labels = count + above.labels - label;
    this.length = end - at;
    folds[count] = fold;
    for (let i = count - 1; i >= 0; i--) folds[i] = mix(folds[i + 1]!, this.#hashes[i]!);
    return count;
  }

  /** Loads labels of `length` octets in total; returns their number, or -1 when no label ends after `length` octets. */
  #loadLabels(source: Uint8Array, at: number, length: number): number {
    const { octets, starts } = this;
    let to = 0;
    let count = 0;
    while (to < length) {
      const size = source[at + to]!;
      let hash = this.#seed;
      starts[count] = to;
      octets[to++] = size;
      for (const end = to + size; to < end; to++) {
        const octet = lowerCase(source[at + to]!);
        octets[to] = octet;
        hash = this.#hashed(hash, octet);
      }
      this.#hashes[count++] = hash;
    }
    return to === length ? count : -1;
  }

  #hashed(before: number, octet: number): number {
    const hash = Math.imul(before ^ octet, this.#multiplier);
    return hash ^ (hash >>> 15);
  }

  /** Hashes the labels before `end` from right to left: `folds[i]` covers labels `i` up to `end`, and `base`. */
  fold(base: number, end: number): void {
    let hash = mix(this.#seed, base);
    this.folds[end] = hash;
    for (let i = end - 1; i >= 0; i--) {
      hash = mix(hash, this.#hashes[i]!);
      this.folds[i] = hash;
    }
  }

  /** The fold of the label at `at`, directly below the name with the fold `fold`. */
  foldLabel(octets: Uint8Array, at: number, fold: number): number {
    let hash = this.#seed;
    for (let i = at + 1, end = i + octets[at]!; i < end; i++) hash = this.#hashed(hash, lowerCase(octets[i]!));
    return mix(fold, hash);
  }

  /** Whether the name from `label` on equals the octets from `at` up to `end`, which are in lower case. */
  endsLike(label: number, octets: Uint8Array, at: number, end: number): boolean {
    const from = this.starts[label]!;
    if (end - at !== this.length - from) return false;
    for (let i = from, there = at; there < end; i++, there++) if (octets[there] !== this.octets[i]) return false;
    return true;
  }

  /** The fold of label `*` directly below the name at `label`. */
  foldWildcard(label: number): number {
    return mix(this.folds[label]!, this.#hashed(this.#seed, asterisk));
  }

  /** Whether this name from `label` on equals `other` from `otherLabel` on. */
  sameFrom(label: number, other: NameKey, otherLabel: number): boolean {
    let at = this.starts[label]!;
    let there = other.starts[otherLabel]!;
    if (this.length - at !== other.length - there) return false;
    while (at < this.length) if (this.octets[at++] !== other.octets[there++]) return false;
    return true;
  }
}

const asterisk = 42;

const lowerCase = (octet: number) => (octet >= 65 && octet <= 90 ? octet | 32 : octet);

/** Not symmetric: the first argument is the hash of the suffix. */
function mix(suffix: number, label: number): number {
  let hash = Math.imul(suffix ^ label, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash + suffix, 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
