/** Tells the store that this control process runs, so that operators see all of them. */
import { hostname } from "node:os";
import type { Log } from "../../lib/log.ts";
import { type Loop, loop } from "../../lib/loop.ts";
import type { Store } from "../../storage/db.ts";
import { removeProcess, renewProcess } from "./alive-store.ts";

/** Milliseconds. */
const every = 15_000;

export class Alive {
  readonly #store: Pick<Store, "db" | "holder">;
  readonly #loop: Loop;

  constructor(store: Pick<Store, "db" | "holder">, { version, log }: { readonly version: string; readonly log: Log }) {
    this.#store = store;
    const own = { id: store.holder, host: hostname(), version };
    this.#loop = loop({
      turn: () => renewProcess(store.db, own),
      every,
      complain: (error) => log.warn({ reason: String(error) }, "the store does not know that this process runs"),
    });
  }

  async close(): Promise<void> {
    await this.#loop.close();
    // the row of a process that cannot reach the store ends by itself
    await removeProcess(this.#store.db, this.#store.holder).catch(() => {});
  }
}
