/** SQL of keys that sign DNS messages. */
import { type Selectable, sql } from "kysely";
import type { TsigKeyTable } from "../../storage/tables.ts";
import { peersChannel, refreshChannel } from "../../sync/peers.ts";
import type { Db } from "../store.ts";

export type TsigRow = Selectable<TsigKeyTable>;

export const listTsigKeys = (db: Db, account_id: string): Promise<TsigRow[]> =>
  db.selectFrom("tsig_key").selectAll().where("account_id", "=", account_id).orderBy("name").execute();

export const findTsigKey = (db: Db, account_id: string, name: string): Promise<TsigRow | undefined> =>
  db
    .selectFrom("tsig_key")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("name", "=", name)
    .executeTakeFirst();

/** False when there is a key of that name. */
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

export const deleteTsigKey = (db: Db, { account_id, name }: TsigRow) =>
  db.deleteFrom("tsig_key").where("account_id", "=", account_id).where("name", "=", name).execute();

/** A zone whose secondaries sign with the key. */
export async function findZoneWithKey(db: Db, { account_id, name }: TsigRow): Promise<string | undefined> {
  const wanted = JSON.stringify({ secondaries: [{ tsig_key: name }] });
  const found = await db
    .selectFrom("zone")
    .select("zone")
    .where("account_id", "=", account_id)
    .where(sql<boolean>`"primary"::jsonb @> ${wanted}::jsonb`)
    .limit(1)
    .executeTakeFirst();
  return found?.zone;
}

/** Tells the edges, once the transaction is committed, that keys or partners of zones have changed. */
export const tellPeers = (db: Db) => sql.raw(`notify ${peersChannel}`).execute(db);

/** Tells whoever transfers zones, once the transaction is committed, that there is one to look at. */
export const tellRefresh = (db: Db) => sql.raw(`notify ${refreshChannel}`).execute(db);
