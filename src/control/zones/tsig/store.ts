/** SQL of TSIG keys. */
import { type Selectable, sql } from "kysely";
import type { TsigKeyTable } from "../../../storage/tables/transfers.ts";
import { peersChannel, refreshChannel } from "../../../sync/peers.ts";
import type { Db } from "../../kit/store.ts";

export type TsigRow = Selectable<TsigKeyTable>;

/** At most `count` keys of an account that follow a name. */
export const listTsigKeys = (
  db: Db,
  account_id: string,
  after: string | undefined,
  count: number,
): Promise<TsigRow[]> =>
  db
    .selectFrom("tsig_key")
    .selectAll()
    .where("account_id", "=", account_id)
    .$if(after !== undefined, (keys) => keys.where("name", ">", after!))
    .orderBy("name")
    .limit(count)
    .execute();

export async function countTsigKeys(db: Db, account_id: string): Promise<number> {
  const keys = db.selectFrom("tsig_key").where("account_id", "=", account_id);
  return (await keys.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
}

/** The lock "use" keeps the key until the transaction ends; the lock "remove" prevents new uses of it. */
export const findTsigKey = (
  db: Db,
  account_id: string,
  name: string,
  lock?: "use" | "remove",
): Promise<TsigRow | undefined> =>
  db
    .selectFrom("tsig_key")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("name", "=", name)
    .$if(lock === "use", (query) => query.forShare())
    .$if(lock === "remove", (query) => query.forUpdate())
    .executeTakeFirst();

/** Returns false if a key with that name exists. */
export async function insertTsigKey(db: Db, row: TsigRow): Promise<boolean> {
  const inserted = await db
    .insertInto("tsig_key")
    .values(row)
    .onConflict((conflict) => conflict.columns(["account_id", "name"]).doNothing())
    .returning("name")
    .execute();
  return inserted.length > 0;
}

export const updateTsigKey = (db: Db, { account_id, name, algorithm, secret, updated_at }: TsigRow) =>
  db
    .updateTable("tsig_key")
    .set({ algorithm, secret, updated_at })
    .where("account_id", "=", account_id)
    .where("name", "=", name)
    .execute();

export const deleteTsigKey = (db: Db, { account_id, name }: Pick<TsigRow, "account_id" | "name">) =>
  db.deleteFrom("tsig_key").where("account_id", "=", account_id).where("name", "=", name).execute();

/** A zone whose secondaries use the key: an existing one, or a deleted one that can be brought back. */
export async function findZoneWithKey(db: Db, { account_id, name }: TsigRow, now: number) {
  const wanted = JSON.stringify({ secondaries: [{ tsig_key: name }] });
  const gone = db
    .selectFrom("deleted_zone")
    .select(["zone", sql<boolean>`true`.as("isDeleted")])
    .where("account_id", "=", account_id)
    .where("kept_until", ">", now)
    .where(sql<boolean>`fields::jsonb->'primary' @> ${wanted}::jsonb`);
  return await db
    .selectFrom("zone")
    .select(["zone", sql<boolean>`false`.as("isDeleted")])
    .where("account_id", "=", account_id)
    .where(sql<boolean>`"primary"::jsonb @> ${wanted}::jsonb`)
    .unionAll(gone)
    .limit(1)
    .executeTakeFirst();
}

/** Notifies edges, after the commit, that TSIG keys or partners of an account's zones have changed. */
export const notifyPeers = (db: Db, account_id: string) =>
  sql`select pg_notify(${peersChannel}, ${account_id})`.execute(db);

/** Notifies the process that transfers zones, after the commit, that a zone is due. */
export const notifyRefresh = (db: Db) => sql.raw(`notify ${refreshChannel}`).execute(db);
