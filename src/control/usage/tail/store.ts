/** SQL of watched queries. */
import { sql } from "kysely";
import { type TailQuery, tailChannel } from "../../../sync/usage.ts";
import type { Db } from "../../kit/store.ts";

export interface Place {
  readonly account_id: string;
  readonly zone: string;
}

/** Seconds for which a zone stays watched, and those that are left when edges are told that somebody still watches. */
export const watchedFor = 30;
const toldAgainAt = 20;

/** Watches a zone, unless the account watches `most` others. Returns whether it is watched. */
export async function watch(db: Db, { account_id, zone }: Place, now: number, most: number): Promise<boolean> {
  const { rows } = await sql<{ is_watched: boolean }>`
    with others as (
      select count(*) as count from tail_watch where account_id = ${account_id} and zone <> ${zone} and until > ${now}),
    watched as (
      insert into tail_watch (account_id, zone, until)
      select ${account_id}, ${zone}, ${now + watchedFor}::bigint from others where others.count < ${most}
      on conflict (account_id, zone) do update set until = excluded.until
        where tail_watch.until < ${now + toldAgainAt}::bigint
      returning until)
    select others.count < ${most} as is_watched, (select pg_notify(${tailChannel}, '')::text from watched) as told
    from others`.execute(db);
  return rows[0]?.is_watched === true;
}

/** A watched query, with its place in the order of the zone's queries. */
export type SeenRow = Omit<TailQuery, "zone"> & { readonly id: number };

/** The first queries after the one with this id; without an id, the newest. */
export async function readSeen(db: Db, { account_id, zone }: Place, after: number | undefined, limit: number) {
  const seen = db
    .selectFrom("tail_query")
    .select(["id", "at", "name", "type", "rcode", "transport", "client", "country", "asn"])
    .where("account_id", "=", account_id)
    .where("zone", "=", zone)
    .$if(after !== undefined, (query) => query.where("id", ">", after ?? 0))
    .orderBy("id", after === undefined ? "desc" : "asc")
    .limit(limit);
  const rows: SeenRow[] = await seen.execute();
  return after === undefined ? rows.reverse() : rows;
}
