/** SQL of catalog zones and their members. */
import { sql } from "kysely";
import { across } from "../../../storage/fence/exceptions.ts";
import type { CatalogSettings, CatalogState } from "../../../storage/tables/transfers.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import type { Db } from "../../kit/store.ts";

type Catalog = Pick<ZoneRow, "account_id" | "id">;

/** Names of zones that are members of a catalog. */
export async function findMembers(db: Db, catalog: Catalog, limit: number): Promise<string[]> {
  const members = membersOf(db, catalog).select("zone").orderBy("zone").limit(limit);
  return (await members.execute()).map(({ zone }) => zone);
}

/** Turns the zones that a catalog created into ordinary zones of the account. */
export async function releaseMembers(db: Db, { account_id, id }: Catalog): Promise<void> {
  await db
    .updateTable("zone")
    .set({ catalog: null, catalog_id: null })
    .where("account_id", "=", account_id)
    .where("catalog_id", "=", id)
    .execute();
}

const membersOf = (db: Db, { account_id, id }: Catalog) =>
  db.selectFrom("zone").where("account_id", "=", account_id).where("catalog_id", "=", id);

/** The rows of the zones that a catalog created. */
export const listMembers = (db: Db, catalog: Catalog): Promise<ZoneRow[]> =>
  membersOf(db, catalog).selectAll().orderBy("zone").execute();

/**
 * Catalogs of other servers that are due to be followed: the time for it has come, or they were transferred since they
 * were last followed. Skips the accounts in `busy`.
 */
export const listToFollow = (db: Db, now: number, limit: number, busy: readonly string[]): Promise<ZoneRow[]> =>
  db
    .selectFrom("zone")
    .selectAll()
    // spelt like the index's own condition, so that PostgreSQL uses it: this query runs after every change
    .where(sql<boolean>`hidden`)
    .where(isConsumer)
    .where("withheld", "=", false)
    .where(sql<boolean>`(follow_at <= ${now}
      or not expired and (catalog_state->>'serial')::bigint is distinct from serial)`)
    .$if(busy.length > 0, (due) => due.where("account_id", "not in", [...busy]))
    .orderBy(sql`follow_at nulls last`)
    .limit(limit)
    .modifyEnd(across("schedule"))
    .execute();

const isConsumer = sql<boolean>`catalog->>'role' = 'consumer'`;

/** Whether the catalog is still a consumer; if so, its row is locked until this transaction ends. */
export async function lockFollowed(db: Db, { account_id, id }: Catalog): Promise<boolean> {
  const followed = db
    .selectFrom("zone")
    .select("id")
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .where(isConsumer);
  return (await followed.forShare().execute()).length > 0;
}

/** Postpones the next attempt, in case this one never reports its end. */
export const claimFollowing = (db: Db, { account_id, id }: Catalog, until: number, state: CatalogState) =>
  db
    .updateTable("zone")
    .set({ follow_at: until, catalog_state: JSON.stringify(state) })
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .where(isConsumer)
    .execute();

/**
 * Saves the result. Saves the time of the next attempt too, unless one was requested in the meantime. Removes the used
 * confirmation: it is valid once.
 */
export async function saveFollowing(
  db: Db,
  { account_id, id }: Catalog,
  claimed: number,
  next: number | null,
  state: CatalogState,
  used: string | undefined,
): Promise<void> {
  const consumer: CatalogSettings = { role: "consumer" };
  await db
    .updateTable("zone")
    .set({
      follow_at: sql<number | null>`case when follow_at = ${claimed} then ${next}::bigint else follow_at end`,
      catalog_state: JSON.stringify(state),
      catalog: sql`case when catalog->>'confirmed' = ${used ?? ""} then ${JSON.stringify(consumer)}::json else catalog end`,
    })
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .where(isConsumer)
    .execute();
}
