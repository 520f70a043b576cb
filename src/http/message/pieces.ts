/**
 * A long text in pieces. A string above 128 KiB gets memory of its own from the system, and a text that is not known to be
 * ASCII gets three octets for each character while it is converted: both cost more than the text itself.
 */
export type Pieces = readonly string[];

/** The characters from which on a piece is full. */
const full = 48 * 1024;

/** Collects texts into pieces. */
export class PieceWriter {
  readonly #pieces: string[] = [];
  #texts: string[] = [];
  #length = 0;

  add(text: string): void {
    this.#texts.push(text);
    this.#length += text.length;
    if (this.#length >= full) this.#end();
  }

  /** Ends the text. */
  pieces(): Pieces {
    if (this.#length > 0) this.#end();
    return this.#pieces;
  }

  #end(): void {
    this.#pieces.push(this.#texts.join(""));
    this.#texts = [];
    this.#length = 0;
  }
}

export const isPieces = (body: unknown): body is Pieces => Array.isArray(body);

/** A text with its octets as UTF-8, and the encoding that makes them fastest. */
export function encoded(text: string) {
  const octets = Buffer.byteLength(text);
  return { text, octets, encoding: octets === text.length ? "latin1" : "utf8" } as const;
}
