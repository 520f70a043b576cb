/**
 * Work that is done for known users only. It runs at a random moment after the reply: right after the reply it would
 * slow the next request down, and so reveal to a stranger that the user exists.
 */
import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../../../lib/log.ts";

/** Milliseconds after the reply. */
const soonest = 200;
const latest = 2000;

/** Rejects when the signal aborts. */
const waitFor = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  delay(milliseconds, undefined, { signal });

export class DelayedWork {
  readonly #log: Log;
  readonly #wait: typeof waitFor;
  readonly #closing = new AbortController();
  readonly #unfinished = new Set<Promise<void>>();

  constructor(log: Log, wait = waitFor) {
    this.#log = log;
    this.#wait = wait;
  }

  /** Starts `work` at a random moment, or at once when the process is about to end. `what` names it in the log. */
  add(what: string, work: () => Promise<unknown>): void {
    const finished = this.#run(what, work);
    this.#unfinished.add(finished);
    void finished.then(() => this.#unfinished.delete(finished));
  }

  /** Starts all waiting work and resolves once it is done. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#unfinished);
  }

  async #run(what: string, work: () => Promise<unknown>): Promise<void> {
    await this.#wait(randomInt(soonest, latest), this.#closing.signal).catch(() => {});
    try {
      await work();
    } catch (error) {
      this.#log.warn({ what, reason: String(error) }, "delayed work failed");
    }
  }
}
