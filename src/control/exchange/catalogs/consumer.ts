/** Follows the due catalogs of other servers, a few at a time, in the process that exchanges zones. */
import { seconds } from "../../../lib/clock.ts";
import type { Lease } from "../../../storage/lease.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { listToFollow } from "../../zones/catalogs/store.ts";
import { type FollowOptions, follow } from "./follow.ts";

/** Catalogs followed at the same time. */
const most = 4;

export class CatalogConsumer {
  readonly #options: Omit<FollowOptions, "lease">;
  readonly #ended: () => void;
  readonly #under = new Map<string, Promise<void>>();

  /** `ended` is called when more catalogs may be due. */
  constructor(options: Omit<FollowOptions, "lease">, ended: () => void) {
    this.#options = options;
    this.#ended = ended;
  }

  async look(lease: Lease): Promise<void> {
    if (this.#under.size >= most) return;
    const { store, clock } = this.#options.service;
    const due = await listToFollow(store.db, seconds(clock), 2 * most);
    for (const row of due) this.#begin({ ...this.#options, lease }, row);
  }

  async close(): Promise<void> {
    await Promise.all(this.#under.values());
  }

  #begin(options: FollowOptions, row: ZoneRow): void {
    if (this.#under.has(row.id) || this.#under.size >= most) return;
    const { log } = options;
    const following = follow(options, row)
      .catch((error) => log.error({ zone: row.zone, reason: String(error) }, "following a catalog failed"))
      .finally(() => {
        this.#under.delete(row.id);
        this.#ended();
      });
    this.#under.set(row.id, following);
  }
}
