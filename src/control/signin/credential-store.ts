/** SQL of passwords and second factors. */
import type { Db } from "../store.ts";
import type { UserRef } from "./token-store.ts";

export const findCredential = (db: Db, { account_id, id }: UserRef) =>
  db
    .selectFrom("user_credential")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("user_id", "=", id)
    .executeTakeFirst();

export async function removeCredential(db: Db, { account_id, id }: UserRef): Promise<void> {
  await db.deleteFrom("user_credential").where("account_id", "=", account_id).where("user_id", "=", id).execute();
}

/** Whether there was one. */
export async function removeSecondFactor(db: Db, user: UserRef): Promise<boolean> {
  const { account_id, id } = user;
  await removeRecoveryCodes(db, user);
  const removed = await db
    .updateTable("user_credential")
    .set({ totp: null, totp_since: null })
    .where("account_id", "=", account_id)
    .where("user_id", "=", id)
    .where("totp", "is not", null)
    .returning("user_id")
    .execute();
  return removed.length > 0;
}

export async function removeRecoveryCodes(db: Db, { account_id, id }: UserRef): Promise<void> {
  await db.deleteFrom("recovery_code").where("account_id", "=", account_id).where("user_id", "=", id).execute();
}
