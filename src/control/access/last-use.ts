/** The times at which callers were last seen, gathered in memory for a second and written together. */
import type { Log } from "../../lib/log.ts";
import { type Loop, loop } from "../../lib/loop.ts";

const gatherFor = 1000;
/** Without uses there is nothing to write. */
const idleFor = 86_400_000;

export class LastUse<Use> {
  readonly #write: (uses: readonly Use[]) => Promise<void>;
  readonly #complain: (error: unknown) => void;
  readonly #uses = new Map<string, Use>();
  readonly #loop: Loop;

  constructor(write: (uses: readonly Use[]) => Promise<void>, log: Log) {
    this.#write = write;
    this.#complain = (error) => log.debug({ reason: String(error) }, "times of last use were not written");
    const turn = () => this.#writeAll();
    this.#loop = loop({ turn, every: idleFor, first: idleFor, gather: gatherFor, complain: this.#complain });
  }

  /** Notes a use; it replaces an earlier use of the same name. */
  note(name: string, use: Use): void {
    this.#uses.set(name, use);
    this.#loop.wake();
  }

  /** Returns once everything is written. */
  async close(): Promise<void> {
    await this.#loop.close();
    await this.#writeAll().catch(this.#complain);
  }

  async #writeAll(): Promise<void> {
    const uses = [...this.#uses.values()];
    this.#uses.clear();
    if (uses.length > 0) await this.#write(uses);
  }
}
