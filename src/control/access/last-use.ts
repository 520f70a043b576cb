/** The times at which callers were last seen, gathered in memory and written every second. */
import type { Log } from "../../lib/log.ts";

const writeEvery = 1000;

export class LastUse<Use> {
  readonly #write: (uses: readonly Use[]) => Promise<void>;
  readonly #log: Log;
  readonly #uses = new Map<string, Use>();
  readonly #timer: NodeJS.Timeout;
  /** One write at a time, so that writes do not pile up on a slow store. */
  #writing: Promise<void> | undefined;

  constructor(write: (uses: readonly Use[]) => Promise<void>, log: Log) {
    this.#write = write;
    this.#log = log;
    this.#timer = setInterval(() => this.#writeAll(), writeEvery).unref();
  }

  /** Notes a use; it replaces an earlier use of the same name. */
  note(name: string, use: Use): void {
    this.#uses.set(name, use);
  }

  /** Returns once everything is written. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    await this.#writeAll();
  }

  #writeAll(): Promise<void> {
    this.#writing ??= this.#writeOnce().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #writeOnce(): Promise<void> {
    const uses = [...this.#uses.values()];
    this.#uses.clear();
    if (uses.length === 0) return;
    try {
      await this.#write(uses);
    } catch (error) {
      this.#log.debug({ reason: String(error) }, "times of last use were not noted");
    }
  }
}
