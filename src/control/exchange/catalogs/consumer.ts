/** Follows the due catalogs of other servers, a few at a time, in the process that exchanges zones. */
import { seconds } from "../../../lib/clock.ts";
import { Slots } from "../../../lib/fair/slots.ts";
import type { Lease } from "../../../storage/lease.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { listToFollow } from "../../zones/catalogs/store.ts";
import { type FollowOptions, follow } from "./follow.ts";

/** Limits on catalogs followed at the same time: in total, of one account, and the hard maximum. */
export const atOnce = { all: 4, own: 2, most: 8 };
/** Due catalogs listed by one query. */
const dueAtOnce = 8;

export class CatalogConsumer {
  readonly #options: Omit<FollowOptions, "lease">;
  readonly #ended: () => void;
  readonly #slots = new Slots(atOnce);
  readonly #running = new Map<string, Promise<void>>();

  /** `ended` is called when more catalogs may be due. */
  constructor(options: Omit<FollowOptions, "lease">, ended: () => void) {
    this.#options = options;
    this.#ended = ended;
  }

  async look(lease: Lease): Promise<void> {
    const { store, clock } = this.#options.service;
    const due = await listToFollow(store.db, seconds(clock), dueAtOnce, this.#slots.satisfied());
    for (const row of due) this.#begin({ ...this.#options, lease }, row);
  }

  async close(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  #begin(options: FollowOptions, row: ZoneRow): void {
    if (this.#running.has(row.id)) return;
    const slot = this.#slots.take(row.account_id);
    if (!slot) return;
    const { log } = options;
    const following = follow(options, row)
      .catch((error) => log.error({ zone: row.zone, reason: String(error) }, "following a catalog failed"))
      .finally(() => {
        slot.leave();
        this.#running.delete(row.id);
        this.#ended();
      });
    this.#running.set(row.id, following);
  }
}
