/** Shows other processes that a piece of work is under way, which they would otherwise clear away. */
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

  /** To be awaited before the work is in the store. */
  static async begin(db: Kysely<Tables>): Promise<Presence> {
    const presence = new Presence(db);
    await presence.#renew();
    const turn = () => presence.#renew();
    // a renewal that fails is followed by the next one
    presence.#renewing = loop({ turn, every: renewEvery, first: renewEvery, complain() {} });
    return presence;
  }

  private constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** From now on the work is abandoned, unless it has ended. */
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

/** A condition: the holder in this column has no work under way. */
export const isAbandoned = (column: string): RawBuilder<boolean> => sql`not exists (
  select from lease where name = 'work:' || ${sql.ref(column)} and lease.expires_at > ${storeNow})`;

/** Forgets holders whose work has ended. */
export const forgetHolders = (db: Kysely<Tables>) =>
  db.deleteFrom("lease").where("name", "like", "work:%").where("expires_at", "<", storeNow).execute();
