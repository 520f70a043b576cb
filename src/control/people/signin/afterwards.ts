/**
 * What is done for a known user alone: after the answer, and at a moment that tells nothing. Done right after the answer it
 * would make the next one slower, and so tell a stranger that there is such a user.
 */
import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../../../lib/log.ts";

/** Milliseconds after the answer. */
const soonest = 200;
const latest = 2000;

/** Waits for so many milliseconds, or until the signal rejects it. */
type Wait = (milliseconds: number, signal: AbortSignal) => Promise<unknown>;

const waitFor: Wait = (milliseconds, signal) => delay(milliseconds, undefined, { signal });

export class Afterwards {
  readonly #log: Log;
  readonly #wait: Wait;
  readonly #closing = new AbortController();
  readonly #unfinished = new Set<Promise<void>>();

  constructor(log: Log, wait = waitFor) {
    this.#log = log;
    this.#wait = wait;
  }

  /** Begins `work` in a moment that chance picks, or at once when the process is about to end. */
  add(what: string, work: () => Promise<unknown>): void {
    const finished = this.#run(what, work);
    this.#unfinished.add(finished);
    void finished.then(() => this.#unfinished.delete(finished));
  }

  /** Resolves once all of it is done. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#unfinished);
  }

  async #run(what: string, work: () => Promise<unknown>): Promise<void> {
    await this.#wait(randomInt(soonest, latest), this.#closing.signal).catch(() => {});
    try {
      await work();
    } catch (error) {
      this.#log.warn({ what, reason: String(error) }, "not done after a request");
    }
  }
}
