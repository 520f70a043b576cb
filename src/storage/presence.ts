/** Says to other processes that somebody goes on with a piece of work, which they would else clear away. */
import { type Kysely, type RawBuilder, sql } from "kysely";
import { newId } from "../lib/ids.ts";
import { releaseLease, storeNow, takeLease } from "./lease.ts";
import type { Tables } from "./tables/index.ts";

const livesFor = 6000;
const renewEvery = 1500;

export class Presence {
  /** Stands beside the work in the store. */
  readonly holder = newId();
  readonly #db: Kysely<Tables>;
  #timer: NodeJS.Timeout | undefined;

  /** To be awaited before the work is in the store. */
  static async begin(db: Kysely<Tables>): Promise<Presence> {
    const presence = new Presence(db);
    await presence.#renew();
    // a renewal that fails is followed by the next one
    presence.#timer = setInterval(() => void presence.#renew().catch(() => {}), renewEvery).unref();
    return presence;
  }

  private constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Whatever is left is abandoned from now on. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    const { holder } = this;
    await releaseLease(this.#db, { name: leaseOf(holder), holder, token: 1 });
  }

  async #renew(): Promise<void> {
    await takeLease(this.#db, leaseOf(this.holder), this.holder, livesFor);
  }
}

const leaseOf = (holder: string) => `work:${holder}`;

/** A condition: nobody goes on with the work of the holder in this column. */
export const isAbandoned = (column: string): RawBuilder<boolean> => sql`not exists (
  select from lease where name = 'work:' || ${sql.ref(column)} and lease.expires_at > ${storeNow})`;

/** Forgets holders whose work has ended. */
export const forgetHolders = (db: Kysely<Tables>) =>
  db.deleteFrom("lease").where("name", "like", "work:%").where("expires_at", "<", storeNow).execute();
