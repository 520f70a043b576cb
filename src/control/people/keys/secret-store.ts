/** SQL of the secrets of keys. */
import { type Selectable, sql } from "kysely";
import type { ApiKeySecretTable } from "../../../storage/tables/accounts.ts";
import type { Db } from "../../kit/store.ts";
import type { KeyRow } from "../members/key-store.ts";

export type SecretRow = Selectable<ApiKeySecretTable>;

type Key = Pick<KeyRow, "account_id" | "id">;

export const listSecrets = (db: Db, { account_id, id }: Key): Promise<SecretRow[]> =>
  listSecretsOf(db, account_id, [id]);

/** The secrets of several keys, the oldest first. */
export const listSecretsOf = (db: Db, account_id: string, keys: readonly string[]): Promise<SecretRow[]> =>
  db
    .selectFrom("api_key_secret")
    .selectAll()
    .where("account_id", "=", account_id)
    .where(sql<boolean>`key_id = any(${keys}::text[])`)
    .orderBy("id")
    .execute();

export async function insertSecret(db: Db, row: SecretRow): Promise<void> {
  await db.insertInto("api_key_secret").values(row).execute();
}

/** Makes `hash` find the secret, even if it found the key's own string before. */
export async function claimSecret(db: Db, { account_id, key_id, id }: SecretRow, hash: string): Promise<void> {
  await db
    .insertInto("key_claim")
    .values({ hash, account_id, key_id, secret_id: id })
    .onConflict((conflict) => conflict.column("hash").doUpdateSet({ secret_id: id }))
    .execute();
}

export async function enableSecret(db: Db, { account_id, key_id, id }: SecretRow, enabled: boolean): Promise<void> {
  await db
    .updateTable("api_key_secret")
    .set({ enabled })
    .where("account_id", "=", account_id)
    .where("key_id", "=", key_id)
    .where("id", "=", id)
    .execute();
}

export async function deleteSecrets(db: Db, { account_id, id }: Key, rows: readonly SecretRow[]): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map((row) => row.id);
  await db
    .deleteFrom("key_claim")
    .where("account_id", "=", account_id)
    .where("key_id", "=", id)
    .where("secret_id", "in", ids)
    .execute();
  await db
    .deleteFrom("api_key_secret")
    .where("account_id", "=", account_id)
    .where("key_id", "=", id)
    .where("id", "in", ids)
    .execute();
}

/** Replaces the key's own string. The earlier string's hash no longer finds the key. */
export async function replaceString(db: Db, { account_id, id }: Key, secret: string, hash: string): Promise<void> {
  await db
    .deleteFrom("key_claim")
    .where("account_id", "=", account_id)
    .where("key_id", "=", id)
    .where("secret_id", "is", null)
    .execute();
  await db.updateTable("api_key").set({ secret }).where("account_id", "=", account_id).where("id", "=", id).execute();
  await db.insertInto("key_claim").values({ hash, account_id, key_id: id }).execute();
}
