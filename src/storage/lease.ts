/** Leases: rows that name the process that does an exclusive job, by the store's clock. */
import { type Kysely, sql } from "kysely";
import type { Tables } from "./tables/index.ts";

export interface Lease {
  readonly name: string;
  readonly holder: string;
  /** Grows whenever the holder changes: a write with an old token comes from a process that lost the lease. */
  readonly token: number;
}

/** Milliseconds since the Unix epoch by the store's clock, which all holders share. */
export const storeNow = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/**
 * Takes or renews a lease for `milliseconds`; undefined while another process holds it. A lease that ends implausibly
 * late is from before the store's clock was set back, and may be taken.
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

/** Whether the lease is still held; it then cannot be taken before the end of this transaction. */
export async function holdLease(tx: Kysely<Tables>, { name, holder, token }: Lease): Promise<boolean> {
  const held = tx
    .selectFrom("lease")
    .select("token")
    .where("name", "=", name)
    .where("holder", "=", holder)
    .where("token", "=", token);
  return (await held.forShare().execute()).length > 0;
}

/** Releases a lease, so that the next holder need not wait for its end. */
export async function releaseLease(db: Kysely<Tables>, { name, holder, token }: Lease): Promise<void> {
  await db
    .updateTable("lease")
    .set({ expires_at: 0 })
    .where("name", "=", name)
    .where("holder", "=", holder)
    .where("token", "=", token)
    .execute();
}
