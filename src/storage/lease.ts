/** Leases: rows that say who does a job which only one process may do, by the store's clock. */
import { type Kysely, sql } from "kysely";
import type { Tables } from "./tables/index.ts";

export interface Lease {
  readonly name: string;
  readonly holder: string;
  /** Grows whenever the holder changes: a write that names an old token is the write of one who lost the lease. */
  readonly token: number;
}

/** Milliseconds since the Unix epoch by the store's clock, the only one that all holders share. */
export const storeNow = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/**
 * Takes or renews a lease for `milliseconds`; undefined while another one holds it. One that ends later than any that is
 * taken now was taken before the store's clock was set back, and must not last until the clock is there again.
 */
export async function takeLease(
  db: Kysely<Tables>,
  name: string,
  holder: string,
  milliseconds: number,
): Promise<Lease | undefined> {
  const until = sql<number>`${storeNow} + ${milliseconds}::bigint`;
  const latest = sql<number>`${storeNow} + ${2 * milliseconds}::bigint`;
  const row = await db
    .insertInto("lease")
    .values({ name, holder, token: 1, expires_at: until })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({
          holder,
          token: sql`lease.token + case when lease.holder = ${holder} then 0 else 1 end`,
          expires_at: until,
        })
        .where((eb) =>
          eb.or([
            eb("lease.holder", "=", holder),
            eb("lease.expires_at", "<", storeNow),
            eb("lease.expires_at", ">", latest),
          ]),
        ),
    )
    .returning("token")
    .executeTakeFirst();
  return row && { name, holder, token: row.token };
}

/** Whether nobody else has taken the lease, nor will before the end of this transaction. */
export async function holdLease(tx: Kysely<Tables>, { name, holder, token }: Lease): Promise<boolean> {
  const held = tx
    .selectFrom("lease")
    .select("token")
    .where("name", "=", name)
    .where("holder", "=", holder)
    .where("token", "=", token);
  return (await held.forShare().execute()).length > 0;
}

/** Gives a lease back, so that the next holder need not wait for its end. */
export async function releaseLease(db: Kysely<Tables>, { name, holder, token }: Lease): Promise<void> {
  await db
    .updateTable("lease")
    .set({ expires_at: 0 })
    .where("name", "=", name)
    .where("holder", "=", holder)
    .where("token", "=", token)
    .execute();
}
