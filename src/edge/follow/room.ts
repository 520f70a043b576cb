/** Holds up what an image has no room for: an edge goes on with what it has and what makes it smaller, and says so. */
import { setTimeout as delay } from "node:timers/promises";
import type { ImageWriter } from "../../answer/image/writer/writer.ts";
import type { Log } from "../../lib/log.ts";

/** Milliseconds from one look to the next: memory may have been given back. */
const lookEvery = 500;
/** Zones that the log names. */
const mostNamed = 5;

export class Room {
  /** Octets; no limit when it is 0. */
  readonly limit: number;
  readonly #log: Log;
  readonly #closing = new AbortController();
  #waiting = 0;

  constructor(limit: number, log: Log) {
    this.limit = limit;
    this.#log = log;
  }

  has(image: ImageWriter): boolean {
    return this.limit === 0 || image.stats().octets < this.limit;
  }

  /** Changes wait for memory. */
  get isFull(): boolean {
    return this.#waiting > 0;
  }

  /** Resolves when the image may grow; rejects when the edge is closed before, or the image given up. */
  async wait(image: ImageWriter, givenUp?: AbortSignal): Promise<void> {
    if (this.has(image)) return;
    if (this.#waiting++ === 0) this.#tell(image);
    const signal = AbortSignal.any([this.#closing.signal, ...(givenUp ? [givenUp] : [])]);
    try {
      while (!this.has(image)) await delay(lookEvery, undefined, { signal });
    } finally {
      this.#waiting--;
    }
    if (!this.isFull) this.#log.info("there is room for changes again");
  }

  #tell(image: ImageWriter): void {
    this.#log.error(
      { octets: image.stats().octets, limit: this.limit, largest: image.largest(mostNamed) },
      "the zones need more memory than is allowed; changes that take more wait, and what is there is answered",
    );
  }

  close(): void {
    this.#closing.abort();
  }
}
