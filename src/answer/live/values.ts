/** A bounded cache of the live table's values that a thread has parsed, valid for one version of their cell. */

interface Parsed {
  readonly version: number;
  /** The word of the text: `copyValue` or `copyFallback`. */
  readonly which: number;
  readonly value: unknown;
}

const mostValues = 16_384;
const mostOctets = 16 << 20;

export class ParsedValues {
  readonly #values = new Map<number, Parsed>();
  #octets = 0;

  find(cell: number, version: number, which: number): Parsed | undefined {
    const parsed = this.#values.get(cell);
    return parsed?.version === version && parsed.which === which ? parsed : undefined;
  }

  /** Parses a text (empty means unset) and caches the value. */
  keep(cell: number, version: number, which: number, text: Uint8Array): unknown {
    this.#octets += text.length;
    if (this.#values.size >= mostValues || this.#octets > mostOctets) {
      this.#values.clear();
      this.#octets = text.length;
    }
    const value: unknown = text.length === 0 ? undefined : JSON.parse(decoder.decode(text));
    this.#values.set(cell, { version, which, value });
    return value;
  }
}

const decoder = new TextDecoder();
