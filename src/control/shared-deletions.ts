/** Control processes of one store tell each other what they delete, so that the guard counts what all of them did. */
import { newId } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import type { Listener } from "../storage/connection/listen.ts";
import type { Store } from "../storage/db.ts";
import type { Deletions } from "./zones/records/guard.ts";

const channel = "fairlead_deletions";
/** Milliseconds in which deletions are told together: whoever deletes does not wait for it. */
const tellEvery = 200;
/** Milliseconds until a store that refuses is tried again: not every engine has notices. */
const restFor = 10_000;
/** Keys that wait to be told. */
const mostUntold = 10_000;
/** Keys in one notice, which has up to 8000 octets. */
const keysAtOnce = 100;

interface Notice {
  /** Who tells. */
  readonly by: string;
  readonly counts: readonly (readonly [key: string, count: number])[];
}

interface SharedOptions {
  readonly store: Store;
  readonly deletions: Deletions;
  readonly log: Log;
}

/** Where the store has no notices, each process counts for itself. */
export class SharedDeletions {
  readonly #options: SharedOptions;
  readonly #by = newId();
  readonly #untold = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  #listener: Listener | undefined;
  #turn: Promise<void> | undefined;
  #isClosed = false;
  #restsUntil = 0;

  constructor(options: SharedOptions) {
    this.#options = options;
    options.deletions.share((key, count) => this.#count(key, count));
    this.#timer = setInterval(() => this.#begin(), tellEvery).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#turn;
    this.#listener?.close();
  }

  #count(key: string, more: number): void {
    const untold = this.#untold;
    if (untold.size < mostUntold || untold.has(key)) untold.set(key, (untold.get(key) ?? 0) + more);
  }

  /** One turn at a time. */
  #begin(): void {
    if (performance.now() < this.#restsUntil) return;
    this.#turn ??= this.#listen()
      .then(() => this.#tell())
      .catch((error: unknown) => {
        this.#restsUntil = performance.now() + restFor;
        this.#options.log.debug({ reason: String(error) }, "deletions are not told to other processes");
      })
      .finally(() => {
        this.#turn = undefined;
      });
  }

  async #listen(): Promise<void> {
    if (this.#listener?.lost === false) return;
    this.#listener?.close();
    this.#listener = await this.#options.store.listen(channel, (text) => this.#hear(text));
  }

  async #tell(): Promise<void> {
    while (this.#untold.size > 0 && !this.#isClosed) {
      const counts = [...this.#untold].slice(0, keysAtOnce);
      for (const [key] of counts) this.#untold.delete(key);
      const notice: Notice = { by: this.#by, counts };
      try {
        await this.#options.store.tell(channel, JSON.stringify(notice));
      } catch (error) {
        for (const [key, more] of counts) this.#count(key, more);
        throw error;
      }
    }
  }

  #hear(text: string): void {
    const told = noticeIn(text);
    if (!told || told.by === this.#by) return;
    for (const [key, count] of told.counts) this.#options.deletions.hear(key, count);
  }
}

/** Undefined for what is none: that the connection is lost is told as well. */
function noticeIn(text: string): Notice | undefined {
  try {
    const { by, counts } = JSON.parse(text);
    return typeof by === "string" && Array.isArray(counts) ? { by, counts } : undefined;
  } catch {
    return undefined;
  }
}
