/** SQL of the tokens with which users set a password: at most one of a kind per user, each used once. */
import type { Insertable } from "kysely";
import type { UserTokenTable } from "../../../storage/tables/users.ts";
import type { Db } from "../../kit/store.ts";

/** A reference to a user. */
export interface UserRef {
  readonly account_id: string;
  readonly id: string;
}

/** Stores a token; an earlier one of the same user and kind becomes invalid. */
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

/** Removes the token and returns its user. When two requests take a token at once, one gets undefined. */
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
