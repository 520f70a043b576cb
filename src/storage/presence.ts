/** Marks a piece of work as active, so that other processes do not remove it as abandoned. */
import { type Kysely, type RawBuilder, sql } from "kysely";
import { newId } from "../lib/ids.ts";
import { type Loop, loop } from "../lib/loop.ts";
import { releaseLease, storeNow, takeLease } from "./lease.ts";
import type { Tables } from "./tables/index.ts";

const livesFor = 6000;
const renewEvery = 1500;

export class Presence {
  /** Stored with the work. */
  readonly holder = newId();
  readonly #db: Kysely<Tables>;
  #renewing: Loop | undefined;

  /** Must be awaited before the work is stored. */
  static async begin(db: Kysely<Tables>): Promise<Presence> {
    const presence = new Presence(db);
    await presence.#renew();
    const turn = () => presence.#renew();
    // a failed renewal is not reported, since the next one follows soon
    presence.#renewing = loop({ turn, every: renewEvery, first: renewEvery, complain() {} });
    return presence;
  }

  private constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Ends the presence; remaining work is abandoned from now on. */
  async end(): Promise<void> {
    await this.#renewing?.close();
    const { holder } = this;
    await releaseLease(this.#db, { name: leaseOf(holder), holder, token: 1 });
  }

  async #renew(): Promise<void> {
    await takeLease(this.#db, leaseOf(this.holder), this.holder, livesFor);
  }
}

const leaseOf = (holder: string) => `work:${holder}`;

/** Returns the SQL condition that the holder in this column has ended. */
export const isAbandoned = (column: string): RawBuilder<boolean> => sql`not exists (
  select from lease where name = 'work:' || ${sql.ref(column)} and lease.expires_at > ${storeNow})`;

/** Removes the leases of holders that have ended. */
export const forgetHolders = (db: Kysely<Tables>) =>
  db.deleteFrom("lease").where("name", "like", "work:%").where("expires_at", "<", storeNow).execute();
