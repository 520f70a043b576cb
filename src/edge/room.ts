/** Holds up what an image has no room for: an edge goes on with what it has, and says so. */
import { setTimeout as delay } from "node:timers/promises";
import type { ImageWriter } from "../answer/image/writer.ts";
import type { Log } from "../lib/log.ts";

/** Milliseconds from one look to the next: memory may have been given back. */
const lookEvery = 500;
/** Zones that the log names. */
const mostNamed = 5;

export class Room {
  /** Changes wait for memory. */
  isFull = false;
  /** Octets; no limit when it is 0. */
  readonly limit: number;
  readonly #log: Log;
  readonly #closing = new AbortController();

  constructor(limit: number, log: Log) {
    this.limit = limit;
    this.#log = log;
  }

  has(image: ImageWriter): boolean {
    return this.limit === 0 || image.stats().octets < this.limit;
  }

  /** Resolves when the image may grow; rejects when the edge is closed before. */
  async wait(image: ImageWriter): Promise<void> {
    if (this.has(image)) return;
    this.isFull = true;
    this.#log.error(
      { octets: image.stats().octets, limit: this.limit, largest: image.largest(mostNamed) },
      "the zones need more memory than is allowed; changes wait, and what is there is answered",
    );
    while (!this.has(image)) await delay(lookEvery, undefined, { signal: this.#closing.signal });
    this.isFull = false;
    this.#log.info("there is room for changes again");
  }

  close(): void {
    this.#closing.abort();
  }
}
