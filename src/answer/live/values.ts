/** Values of the live table that a thread has parsed: kept by the version of their cell, within bounds. */

interface Parsed {
  readonly version: number;
  /** Which of the cell's two texts it is. */
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

  /** Parses a text, empty for "unset", and keeps the value. */
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
