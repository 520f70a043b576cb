/** Reads the typed fields in the data section of a MaxMind DB. Checks every position, since files can be damaged. */
import { invalid } from "../../lib/problem.ts";

/** The field types of the format. */
const type = {
  pointer: 1,
  text: 2,
  double: 3,
  uint16: 5,
  uint32: 6,
  map: 7,
  int32: 8,
  uint64: 9,
  array: 11,
  boolean: 14,
  float: 15,
};

/** Limits above any real record: a record beyond them is damaged, and could take forever to read. */
const mostFields = 10_000;
const mostLevels = 32;

interface Field {
  readonly type: number;
  readonly size: number;
  /** The position of the content. */
  readonly start: number;
}

export class MmdbData {
  readonly #octets: Buffer;
  #fields = 0;
  readonly #keys = new Map<number, string>();

  /** `octets` are the whole section; pointers are relative to its start. */
  constructor(octets: Buffer) {
    this.#octets = octets;
  }

  /** Begins a record: resets the count of its fields. */
  begin(): void {
    this.#fields = 0;
  }

  /** Calls `visit` with each key of a map and its value's position; false if it is not a map. Throws a Problem on damage. */
  entries(at: number, visit: (key: string, at: number) => void): boolean {
    const map = this.#open(at);
    if (map.type !== type.map) return false;
    let next = map.start;
    for (let entry = 0; entry < map.size; entry++) {
      const key = this.#key(next);
      next = this.#skip(next, 0);
      visit(key, next);
      next = this.#skip(next, 0);
    }
    return true;
  }

  /** Returns the key at a position. Cached, since most keys are pointers to a few strings. */
  #key(at: number): string {
    const { type: kind, start, size } = this.#open(at);
    const known = this.#keys.get(start);
    if (known !== undefined) return known;
    if (kind !== type.text) throw this.#damage(at);
    const key = this.#octets.toString("latin1", start, this.#assertWithin(start + size));
    if (this.#keys.size < mostFields) this.#keys.set(start, key);
    return key;
  }

  /** Returns the position of the first element of an array; undefined if it is empty or not an array. */
  first(at: number): number | undefined {
    const array = this.#open(at);
    return array.type === type.array && array.size > 0 ? array.start : undefined;
  }

  /** Returns the text or number at a position; undefined for other types. */
  scalar(at: number): string | number | undefined {
    const field = this.#open(at);
    const { start, size } = field;
    if (field.type === type.map || field.type === type.array || field.type === type.boolean) return undefined;
    this.#assertWithin(start + size);
    if (field.type === type.text) return this.#octets.toString("utf8", start, start + size);
    if (field.type === type.double && size === 8) return this.#octets.readDoubleBE(start);
    if (field.type === type.float && size === 4) return this.#octets.readFloatBE(start);
    if (field.type === type.int32 && size === 4) return this.#octets.readInt32BE(start);
    if ([type.uint16, type.uint32, type.uint64, type.int32].includes(field.type)) return this.#unsigned(start, size);
    return undefined;
  }

  /** Returns the field at a position, after following a pointer; a pointer to a pointer is damage. */
  #open(at: number): Field {
    const field = this.#header(at);
    if (field.type !== type.pointer) return field;
    const target = this.#header(field.size);
    if (target.type === type.pointer) throw this.#damage(at);
    return target;
  }

  /** Returns the position after a field. */
  #skip(at: number, level: number): number {
    if (++this.#fields > mostFields || level > mostLevels) throw this.#damage(at);
    const field = this.#header(at);
    const { start, size } = field;
    if (field.type === type.pointer || field.type === type.boolean) return start;
    if (field.type !== type.map && field.type !== type.array) return this.#assertWithin(start + size);
    let next = start;
    for (let rest = field.type === type.map ? size * 2 : size; rest > 0; rest--) next = this.#skip(next, level + 1);
    return next;
  }

  /** Reads the control octet, extended type and size; for a pointer, `size` is its target. */
  #header(at: number): Field {
    const control = this.#unsigned(at, 1);
    if (control >> 5 === type.pointer) return this.#pointer(at, control);
    const extended = control >> 5 === 0 ? 1 : 0;
    const start = at + 1 + extended;
    const kind = extended ? 7 + this.#unsigned(at + 1, 1) : control >> 5;
    const small = control & 31;
    if (small < 29) return { type: kind, size: small, start };
    const more = small - 28;
    const base = [0, 29, 285, 65821][more]!;
    return { type: kind, size: base + this.#unsigned(start, more), start: start + more };
  }

  #pointer(at: number, control: number): Field {
    const length = ((control >> 3) & 3) + 1;
    const high = length === 4 ? 0 : (control & 7) * 256 ** length;
    const base = [0, 0, 2048, 526336, 0][length]!;
    return { type: type.pointer, size: high + this.#unsigned(at + 1, length) + base, start: at + 1 + length };
  }

  #unsigned(at: number, length: number): number {
    this.#assertWithin(at + length);
    let value = 0;
    for (let octet = at; octet < at + length; octet++) value = value * 256 + this.#octets[octet]!;
    return value;
  }

  #assertWithin(end: number): number {
    if (end > this.#octets.length) throw this.#damage(end);
    return end;
  }

  #damage(at: number) {
    return invalid(`the file is damaged or cut off: its data section cannot be read at octet ${at}`);
  }
}
