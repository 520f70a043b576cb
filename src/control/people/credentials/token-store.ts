/** SQL of what is sent to users to set a password with: one of a kind for each user, taken once. */
import type { Insertable } from "kysely";
import type { UserTokenTable } from "../../../storage/tables/users.ts";
import type { Db } from "../../kit/store.ts";

/** A user, wherever no more is needed than whose. */
export interface UserRef {
  readonly account_id: string;
  readonly id: string;
}

/** In place of an earlier one, which is of no more use. */
export async function putToken(db: Db, row: Insertable<UserTokenTable>): Promise<void> {
  const { hash, expires_at } = row;
  await db
    .insertInto("user_token")
    .values(row)
    .onConflict((conflict) => conflict.columns(["account_id", "user_id", "kind"]).doUpdateSet({ hash, expires_at }))
    .execute();
}

export const findToken = (db: Db, kind: string, hash: string, now: number) =>
  db
    .selectFrom("user_token")
    .select(["account_id", "user_id"])
    .where("hash", "=", hash)
    .where("kind", "=", kind)
    .where("expires_at", ">", now)
    .executeTakeFirst();

/** The user whose it was; of two that take one at once, the other finds nothing. */
export const takeToken = (db: Db, kind: string, hash: string, now: number) =>
  db
    .deleteFrom("user_token")
    .where("hash", "=", hash)
    .where("kind", "=", kind)
    .where("expires_at", ">", now)
    .returning(["account_id", "user_id"])
    .executeTakeFirst();

export async function removeTokens(db: Db, { account_id, id }: UserRef): Promise<void> {
  await db.deleteFrom("user_token").where("account_id", "=", account_id).where("user_id", "=", id).execute();
}
