/** Frees the names of deleted zones that the public DNS delegates to nobody: they need no protection, and keep others out. */

import type { Clock } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import { type Loop, loop } from "../../../lib/loop.ts";
import type { PublicNames } from "../../../net/client/public-names.ts";
import type { Store } from "../../../storage/db.ts";
import { claimScope } from "../model/zone/ownership.ts";
import { dropClaim, lockDomains } from "../model/zone/store.ts";
import { type DeletedRow, listClaiming, lockDeleted } from "./store.ts";

export interface UndelegatedOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly names: PublicNames;
  readonly log: Log;
}

/** Milliseconds between two turns, and until a name that was not freed is asked for again. */
const every = 20_000;
const again = 24 * 60 * 60_000;
/** Names asked for at the same time, and in one turn. */
const atOnce = 10;
const pageSize = 200;

export class UndelegatedNames {
  readonly #options: UndelegatedOptions;
  /** The time of the last question about a deleted zone, by its id; restarted when a round has ended. */
  readonly #asked = new Map<string, number>();
  readonly #loop: Loop;

  constructor(options: UndelegatedOptions) {
    this.#options = options;
    const complain = (error: unknown) =>
      options.log.warn({ reason: String(error) }, "names of deleted zones could not be freed; trying again");
    this.#loop = loop({ turn: (signal) => this.turn(signal), every, complain });
  }

  async close(): Promise<void> {
    this.#options.names.close();
    await this.#loop.close();
  }

  /** Asks for all names that are due. */
  async turn(signal: AbortSignal): Promise<void> {
    const { store, clock } = this.#options;
    const now = clock.now();
    for (const [id, at] of this.#asked) if (at + again <= now || at > now) this.#asked.delete(id);
    for (let after = { account_id: "", id: "" }; !signal.aborted; ) {
      const rows = await listClaiming(store.db, seconds(clock), after, pageSize);
      const due = rows.filter(({ id }) => !this.#asked.has(id));
      for (let at = 0; at < due.length && !signal.aborted; at += atOnce) {
        await Promise.all(due.slice(at, at + atOnce).map((row) => this.#ask(row)));
      }
      if (rows.length < pageSize) return;
      after = rows.at(-1)!;
    }
  }

  async #ask(row: DeletedRow): Promise<void> {
    const { names, clock, log } = this.#options;
    this.#asked.set(row.id, clock.now());
    if (!(await names.isUndelegated(row.zone))) return;
    if (await this.#free(row)) log.info({ zone: row.zone }, "the name of a deleted zone is free: it is not delegated");
  }

  /** False when the zone was brought back, or its name is already free. */
  async #free({ account_id, id, zone }: DeletedRow): Promise<boolean> {
    return await this.#options.store.transaction(async (tx) => {
      if (!(await lockDeleted(tx, account_id, id))) return false;
      await lockDomains(tx, claimScope(zone).registrable, []);
      return await dropClaim(tx, account_id, zone, id);
    });
  }
}
