/** The memory limit of an image. An edge at its limit answers, and applies only changes that free memory. */
import { setTimeout as delay } from "node:timers/promises";
import type { ImageWriter } from "../../answer/image/writer/writer.ts";
import type { Log } from "../../lib/log.ts";

/** Milliseconds between two checks for freed memory. */
const checkEvery = 500;
/** Maximum number of zones in the log message. */
const mostNamed = 5;

export class MemoryBudget {
  /** Octets; 0 for no limit. */
  readonly limit: number;
  readonly #log: Log;
  readonly #closing = new AbortController();
  #waiting = 0;

  constructor(limit: number, log: Log) {
    this.limit = limit;
    this.#log = log;
  }

  /** Whether the image may grow. */
  allows(image: ImageWriter): boolean {
    return this.limit === 0 || image.stats().octets < this.limit;
  }

  /** Whether changes wait for memory. */
  get isFull(): boolean {
    return this.#waiting > 0;
  }

  /** Resolves when the image may grow; rejects if the edge is closed or `givenUp` is aborted first. */
  async wait(image: ImageWriter, givenUp?: AbortSignal): Promise<void> {
    if (this.allows(image)) return;
    if (this.#waiting++ === 0) this.#complain(image);
    const signal = AbortSignal.any([this.#closing.signal, ...(givenUp ? [givenUp] : [])]);
    try {
      while (!this.allows(image)) await delay(checkEvery, undefined, { signal });
    } finally {
      this.#waiting--;
    }
    if (!this.isFull) this.#log.info("memory is available for changes again");
  }

  #complain(image: ImageWriter): void {
    this.#log.error(
      { octets: image.stats().octets, limit: this.limit, largest: image.largest(mostNamed) },
      "memory limit reached; changes that need more memory are held back, existing zones are still served",
    );
  }

  close(): void {
    this.#closing.abort();
  }
}
