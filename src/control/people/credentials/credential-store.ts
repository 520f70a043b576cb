/** SQL of passwords and second factors. */
import type { Db } from "../../kit/store.ts";
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

/** Returns whether the user had a second factor. */
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

/** Sets the password; inserts the row of a user who never had one. */
export async function setPassword(
  db: Db,
  { account_id, id: user_id }: UserRef,
  password: string | null,
): Promise<void> {
  await db
    .insertInto("user_credential")
    .values({ account_id, user_id, password, totp: null, totp_since: null, totp_step: 0 })
    .onConflict((conflict) => conflict.columns(["account_id", "user_id"]).doUpdateSet({ password }))
    .execute();
}

/**
 * Returns whether the time step is later than every step used before. When two requests use it at once, one succeeds.
 */
export async function takeStep(db: Db, { account_id, id }: UserRef, step: number): Promise<boolean> {
  const taken = await db
    .updateTable("user_credential")
    .set({ totp_step: step })
    .where("account_id", "=", account_id)
    .where("user_id", "=", id)
    .where("totp", "is not", null)
    .where("totp_step", "<", step)
    .returning("user_id")
    .execute();
  return taken.length > 0;
}

/** Stores a secret that becomes valid with its first code. Returns false for a user who already has a second factor. */
export async function putTotp(db: Db, { account_id, id }: UserRef, totp: string): Promise<boolean> {
  const put = await db
    .updateTable("user_credential")
    .set({ totp, totp_step: 0 })
    .where("account_id", "=", account_id)
    .where("user_id", "=", id)
    .where("totp_since", "is", null)
    .returning("user_id")
    .execute();
  return put.length > 0;
}

/** Enables the second factor. Returns false if the secret has been replaced since its code was checked. */
export async function confirmTotp(
  db: Db,
  { account_id, id }: UserRef,
  { totp, step, now }: { readonly totp: string; readonly step: number; readonly now: number },
): Promise<boolean> {
  const confirmed = await db
    .updateTable("user_credential")
    .set({ totp_since: now, totp_step: step })
    .where("account_id", "=", account_id)
    .where("user_id", "=", id)
    .where("totp", "=", totp)
    .where("totp_since", "is", null)
    .returning("user_id")
    .execute();
  return confirmed.length > 0;
}

/** Replaces the user's earlier recovery codes. */
export async function putRecoveryCodes(db: Db, user: UserRef, hashes: readonly string[]): Promise<void> {
  await removeRecoveryCodes(db, user);
  const { account_id, id: user_id } = user;
  await db
    .insertInto("recovery_code")
    .values(hashes.map((hash) => ({ account_id, user_id, hash })))
    .execute();
}

export async function takeRecoveryCode(db: Db, { account_id, id }: UserRef, hash: string): Promise<boolean> {
  const taken = await db
    .deleteFrom("recovery_code")
    .where("account_id", "=", account_id)
    .where("user_id", "=", id)
    .where("hash", "=", hash)
    .returning("hash")
    .execute();
  return taken.length > 0;
}
