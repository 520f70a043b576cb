/** SQL of an account's keys. */
import type { Insertable, Selectable } from "kysely";
import type { AccountTable, ApiKeyTable } from "../../../storage/tables/accounts.ts";
import type { Db } from "../../kit/store.ts";
import { deleteRow } from "./rows-store.ts";

export type KeyRow = Selectable<ApiKeyTable>;

/** `hash` is the keyed hash of the key string; undefined for a key that only has expiring secrets. */
export async function insertKey(db: Db, row: KeyRow, hash: string | undefined): Promise<void> {
  await db
    .insertInto("api_key")
    .values({ ...row, ...documents(row) })
    .execute();
  if (hash === undefined) return;
  await db.insertInto("key_claim").values({ hash, account_id: row.account_id, key_id: row.id }).execute();
}

export async function updateKey(db: Db, row: KeyRow): Promise<void> {
  const { name, ip_whitelist_strict, expiry_days, deletion_guard } = row;
  await db
    .updateTable("api_key")
    .set({ name, ip_whitelist_strict, expiry_days, deletion_guard, ...documents(row) })
    .where("account_id", "=", row.account_id)
    .where("id", "=", row.id)
    .execute();
}

export async function deleteKey(db: Db, row: KeyRow): Promise<void> {
  const { account_id, id } = row;
  await db.deleteFrom("key_claim").where("account_id", "=", account_id).where("key_id", "=", id).execute();
  await db.deleteFrom("api_key_secret").where("account_id", "=", account_id).where("key_id", "=", id).execute();
  await deleteRow(db, "api_key", row);
}

const documents = (row: KeyRow) => ({
  permissions: JSON.stringify(row.permissions),
  ip_whitelist: JSON.stringify(row.ip_whitelist),
  teams: JSON.stringify(row.teams),
});

export async function insertAccount(db: Db, row: Insertable<AccountTable>): Promise<void> {
  await db.insertInto("account").values(row).execute();
}
