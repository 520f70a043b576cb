/** A connection whose input is read in small pieces, so that the work for each of them fits into a turn. */
import { Duplex } from "node:stream";

export interface PiecesOptions {
  /** The most octets of a piece. */
  readonly octets: number;
  /** Calls `give` when the next piece may be read: before it returns, or before its promise resolves. */
  readonly when: (give: () => void) => Promise<void> | void;
}

export class Pieces extends Duplex {
  readonly #socket: Duplex;
  readonly #options: PiecesOptions;
  /** Received, but not given to the reader. */
  #held: Buffer = Buffer.alloc(0);
  #isWanted = false;
  #isFeeding = false;
  #hasEnded = false;
  #isClosing = false;

  constructor(socket: Duplex, options: PiecesOptions) {
    // the reader asks for one piece at a time
    super({ readableHighWaterMark: 1 });
    this.#socket = socket;
    this.#options = options;
    // errors of the client's side need no handling; "close" follows
    this.on("error", () => {});
    socket.on("close", () => this.destroy());
    socket.on("end", () => {
      this.#hasEnded = true;
      void this.#feed();
    });
    socket.on("data", (octets: Buffer) => {
      this.#held = this.#held.length === 0 ? octets : Buffer.concat([this.#held, octets]);
      void this.#feed();
      if (this.#held.length > 0) socket.pause();
    });
  }

  /** Reads no more, and closes the connection once everything that was written is sent. */
  destroySoon(): void {
    this.#isClosing = true;
    this.end(() => this.destroy());
  }

  override _read(): void {
    this.#isWanted = true;
    // a piece that is given while the reader asks for it would not be read within its turn
    queueMicrotask(() => void this.#feed());
  }

  override _write(octets: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(octets, done);
  }

  override _writev(parts: { readonly chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#socket.write(Buffer.concat(parts.map(({ chunk }) => chunk)), done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(_: Error | null, done: () => void): void {
    this.#socket.destroy();
    done();
  }

  async #feed(): Promise<void> {
    if (this.#isFeeding) return;
    this.#isFeeding = true;
    while (this.#isWanted && this.#held.length > 0 && !this.#isClosing && !this.destroyed) {
      const turn = this.#options.when(() => this.#give());
      if (turn) await turn;
    }
    this.#isFeeding = false;
    if (!this.#isWanted || this.#isClosing || this.destroyed) return;
    if (this.#hasEnded) this.push(null);
    else if (this.#socket.isPaused()) this.#socket.resume();
  }

  #give(): void {
    if (this.#isClosing || this.destroyed) return;
    const { octets } = this.#options;
    const piece = this.#held.subarray(0, octets);
    this.#held = this.#held.subarray(octets);
    this.#isWanted = false;
    this.push(piece);
  }
}
