/** SQL of quotas: an account's own limits, and what it has. */
import { sql } from "kysely";
import type { AccountQuota } from "../../../storage/tables/accounts.ts";
import { type Db, rowsOf, statement } from "../../kit/store.ts";

/** An account's own limits; null for those of the table of limits. */
export async function findQuota(db: Db, account_id: string): Promise<AccountQuota | null> {
  const row = await db.selectFrom("account").select("quota").where("id", "=", account_id).executeTakeFirst();
  return row?.quota ?? null;
}

export const setQuota = async (db: Db, account_id: string, quota: AccountQuota | null): Promise<void> => {
  const text = quota && JSON.stringify(quota);
  await db.updateTable("account").set({ quota: text }).where("id", "=", account_id).execute();
};

/** The octets of the metadata, tags and partners of an account's zones, by id. */
export async function sizesOfZones(db: Db, account_id: string): Promise<ReadonlyMap<string, number>> {
  const octets = sql.raw<number>(sizeOf("meta", "tags", "local_tags", '"primary"', "secondary"));
  const zones = db
    .selectFrom("zone")
    .select(["id", octets.as("octets")])
    .where("account_id", "=", account_id);
  return new Map((await zones.execute()).map(({ id, octets }) => [id, octets]));
}

/** The records of one zone in a slice; without a zone, the key after which the next slice begins. */
export type Counted =
  | { readonly of: string; readonly records: number; readonly octets: number }
  | { readonly of: null; readonly zone_id: string; readonly domain: string; readonly type: string };

/** Counts a slice of an account's records after a key. Also counts records of zones that are gone. */
export const countSlice = (db: Db, account_id: string, after: readonly string[]): Promise<readonly Counted[]> =>
  rowsOf(db, statement<Counted>(slice, [account_id, ...after, mostRows]));

const mostRows = 20_000;
/** The columns are stored without compression, so these are the octets of their JSON, and the count does not read it. */
const sizeOf = (...columns: readonly string[]) =>
  columns.map((column) => `coalesce(pg_column_size(${column}), 0)`).join(" + ");
/** SQL: the octets of a record. */
export const recordOctets = sizeOf("answers", "filters", "regions", "meta", "tags", "local_tags", "blocked_tags");
const slice = `
  with slice as materialized (
    select zone_id, domain, type, ${recordOctets} as octets from record
    where account_id = $1 and (zone_id, domain, type) > ($2, $3, $4)
    order by zone_id, domain, type limit $5)
  select zone_id as of, count(*) as records, sum(octets) as octets, null as zone_id, null as domain, null as type
  from slice group by zone_id
  union all
  (select null, 0, 0, zone_id, domain, type from slice order by zone_id desc, domain desc, type desc limit 1)`;
