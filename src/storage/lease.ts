/** Leases: rows that name the process that does an exclusive job, by the store's clock. */
import { type Kysely, sql } from "kysely";
import type { Tables } from "./tables/index.ts";

export interface Lease {
  readonly name: string;
  /**
   * A process. Of two words, the first is its instance, and the second is larger the later this process had its turn: it
   * is the heir of the earlier ones. All second words of an instance have the same length.
   */
  readonly holder: string;
  /** Grows whenever the holder changes: a write with an old token comes from a process that lost the lease. */
  readonly token: number;
}

/** Milliseconds since the Unix epoch by the store's clock, which all holders share. */
export const storeNow = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/**
 * Takes or renews a lease for `milliseconds`; undefined while another process holds it. The lease of an earlier process of
 * the same instance is taken at once; if that had a transaction, after the end of this transaction. The earlier process
 * cannot take it back. A lease that ends implausibly late is from before the store's clock was set back, and may be taken.
 */
export async function takeLease(
  db: Kysely<Tables>,
  name: string,
  holder: string,
  milliseconds: number,
): Promise<Lease | undefined> {
  const { rows } = await sql<{ token: number }>`
    insert into lease (name, holder, token, expires_at)
    values (${name}, ${holder}, 1, ${storeNow} + ${milliseconds}::bigint)
    on conflict (name) do update set
      holder = excluded.holder, expires_at = excluded.expires_at,
      token = lease.token + case when lease.holder = excluded.holder then 0 else 1 end
    where (split_part(lease.holder, ' ', 1) = split_part(excluded.holder, ' ', 1)
        and lease.holder collate "C" <= excluded.holder collate "C")
      or lease.expires_at < ${storeNow} or lease.expires_at > ${storeNow} + ${2 * milliseconds}::bigint
    returning token`.execute(db);
  return rows[0] && { name, holder, token: rows[0].token };
}

/** Whether the lease is still held; it then cannot be taken before the end of this transaction. */
export async function holdLease(tx: Kysely<Tables>, { name, holder, token }: Lease): Promise<boolean> {
  const { rows } = await sql`
    select from lease where name = ${name} and holder = ${holder} and token = ${token} for share`.execute(tx);
  return rows.length > 0;
}

/** Releases a lease, so that the next holder need not wait for its end. */
export async function releaseLease(db: Kysely<Tables>, { name, holder, token }: Lease): Promise<void> {
  await sql`
    update lease set expires_at = 0 where name = ${name} and holder = ${holder} and token = ${token}`.execute(db);
}
