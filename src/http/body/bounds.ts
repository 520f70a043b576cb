/** Bounds on the structure of JSON, found in one pass over the octets, before a parser builds anything. */

export interface JsonLimits {
  readonly depth: number;
  /** The most values: objects, arrays, strings, numbers and literals together, keys not included. */
  readonly values: number;
  /** The most keys in all objects together. */
  readonly keys: number;
}

export interface Fault {
  readonly message: string;
  readonly path: (string | number)[];
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openArray = 0x5b;
const backslash = 0x5c;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * Returns the first excess. The text need not be valid JSON: a parser builds at most the values and keys that this
 * pass counts until it meets the first error.
 */
export function excessIn(octets: Uint8Array, limits: JsonLimits): Fault | undefined {
  const path = new Path();
  let values = 1;
  let keys = 0;
  let isFirst = false;
  let lastString = 0;
  for (let at = 0; at < octets.length; at++) {
    const octet = octets[at]!;
    if (octet <= 0x20) continue;
    const isClose = octet === closeArray || octet === closeObject;
    if (isFirst && !isClose) values++;
    isFirst = false;
    if (octet === quote) {
      lastString = at;
      at = endOfString(octets, at);
    } else if (octet === comma) {
      values++;
      path.next();
    } else if (octet === colon) {
      keys++;
      path.key(lastString);
    } else if (isClose) {
      path.leave();
    } else if (octet === openArray || octet === openObject) {
      if (path.level === limits.depth) return faultAt(path, octets, `JSON is nested deeper than ${limits.depth}`);
      path.enter();
      isFirst = true;
    }
    if (values > limits.values) return faultAt(path, octets, `JSON has more than ${limits.values} values`);
    if (keys > limits.keys) return faultAt(path, octets, `JSON has more than ${limits.keys} keys`);
  }
  return undefined;
}

/** The position of the quote that ends the string, or the end of the text. */
function endOfString(octets: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < octets.length && octets[at] !== quote) at += octets[at] === backslash ? 2 : 1;
  return at;
}

const faultAt = (path: Path, octets: Uint8Array, message: string): Fault => ({ message, path: path.steps(octets) });

/** The position in the document, without objects for single steps. */
class Path {
  level = 0;
  /** The number of the item at each level. */
  readonly #items = [0];
  /** The position of the quote that starts the latest key at each level; -1 before the first key. */
  readonly #keys = [0];

  enter(): void {
    this.level++;
    this.#items[this.level] = 0;
    this.#keys[this.level] = -1;
  }

  leave(): void {
    if (this.level > 0) this.level--;
  }

  next(): void {
    this.#items[this.level]!++;
  }

  key(start: number): void {
    this.#keys[this.level] = start;
  }

  steps(octets: Uint8Array): (string | number)[] {
    const levels = Array.from({ length: this.level }, (_, at) => at + 1);
    return levels.map((level) => {
      const start = this.#keys[level]!;
      if (start < 0) return this.#items[level]!;
      return Buffer.from(octets.subarray(start + 1, Math.min(endOfString(octets, start), start + 300))).toString();
    });
  }
}
