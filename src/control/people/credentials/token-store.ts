/** SQL of the tokens of links with which users sign in or set a password: at most one of a kind per user, each used once. */
import type { Insertable } from "kysely";
import type { UserTokenTable } from "../../../storage/tables/users.ts";
import type { Db } from "../../kit/store.ts";
import type { UserRef } from "./user-rows-store.ts";

/** Stores a token; an earlier one of the same user and kind becomes invalid. */
export async function putToken(db: Db, row: Insertable<UserTokenTable>): Promise<void> {
  const { hash, expires_at, sent_to = null } = row;
  await db
    .insertInto("user_token")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["account_id", "user_id", "kind"]).doUpdateSet({ hash, expires_at, sent_to }),
    )
    .execute();
}

export const findToken = (db: Db, kind: string, hash: string, now: number): Promise<UserRef | undefined> =>
  db
    .selectFrom("user_token")
    .select(["account_id", "user_id as id"])
    .where("hash", "=", hash)
    .where("kind", "=", kind)
    .where("expires_at", ">", now)
    .executeTakeFirst();

/** Removes the token and returns its user, and the address to which it was mailed. When two requests take a token at once, one of them gets undefined. */
export const takeToken = (
  db: Db,
  kind: string,
  hash: string,
  now: number,
): Promise<(UserRef & { readonly sent_to: string | null }) | undefined> =>
  db
    .deleteFrom("user_token")
    .where("hash", "=", hash)
    .where("kind", "=", kind)
    .where("expires_at", ">", now)
    .returning(["account_id", "user_id as id", "sent_to"])
    .executeTakeFirst();
