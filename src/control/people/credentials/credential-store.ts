/** SQL of passwords and second factors. */
import type { Db } from "../../kit/store.ts";
import { hasChanged, ofUser, removeRows, type UserRef } from "./user-rows-store.ts";

export const findCredential = (db: Db, user: UserRef) =>
  db.selectFrom("user_credential").selectAll().where(ofUser(user)).executeTakeFirst();

/** Begins a statement that updates a user's credential. */
const update = (db: Db, user: UserRef) => db.updateTable("user_credential").where(ofUser(user)).returning("user_id");

/** Returns whether the user had a second factor. */
export async function removeSecondFactor(db: Db, user: UserRef): Promise<boolean> {
  await removeRows(db, "recovery_code", user);
  return await hasChanged(update(db, user).set({ totp: null, totp_since: null }).where("totp", "is not", null));
}

/** Sets the password, and the address that the user has proved, if any; inserts the row of a user who never had a password. */
export async function setPassword(
  db: Db,
  { account_id, id: user_id }: UserRef,
  password: string | null,
  proven_email: string | null = null,
): Promise<void> {
  const proven = proven_email === null ? {} : { proven_email };
  await db
    .insertInto("user_credential")
    .values({ account_id, user_id, password, totp: null, totp_since: null, totp_step: 0, ...proven })
    .onConflict((conflict) => conflict.columns(["account_id", "user_id"]).doUpdateSet({ password, ...proven }))
    .execute();
}

/** Sets the password of a user who has none. Returns false if the user has one by now. */
export const setFirstPassword = (db: Db, { account_id, id: user_id }: UserRef, password: string): Promise<boolean> =>
  hasChanged(
    db
      .insertInto("user_credential")
      .values({ account_id, user_id, password, totp: null, totp_since: null, totp_step: 0 })
      .onConflict((conflict) =>
        conflict
          .columns(["account_id", "user_id"])
          .doUpdateSet({ password })
          .where("user_credential.password", "is", null),
      )
      .returning("user_id"),
  );

/**
 * Returns whether the time step is later than every step used before. When two requests use it at once, one succeeds.
 */
export const takeStep = (db: Db, user: UserRef, step: number): Promise<boolean> =>
  hasChanged(update(db, user).set({ totp_step: step }).where("totp", "is not", null).where("totp_step", "<", step));

/** Stores a secret that becomes valid with its first code. Returns false for a user who already has a second factor. */
export const putTotp = (db: Db, user: UserRef, totp: string): Promise<boolean> =>
  hasChanged(update(db, user).set({ totp, totp_step: 0 }).where("totp_since", "is", null));

/** Enables the second factor. Returns false if the secret has been replaced since its code was checked. */
export const confirmTotp = (
  db: Db,
  user: UserRef,
  { totp, step, now }: { readonly totp: string; readonly step: number; readonly now: number },
): Promise<boolean> =>
  hasChanged(
    update(db, user).set({ totp_since: now, totp_step: step }).where("totp", "=", totp).where("totp_since", "is", null),
  );

/** Replaces the user's earlier recovery codes. */
export async function putRecoveryCodes(db: Db, user: UserRef, hashes: readonly string[]): Promise<void> {
  await removeRows(db, "recovery_code", user);
  const { account_id, id: user_id } = user;
  await db
    .insertInto("recovery_code")
    .values(hashes.map((hash) => ({ account_id, user_id, hash })))
    .execute();
}

/** Returns whether the user had this recovery code, which is now used up. */
export const takeRecoveryCode = (db: Db, user: UserRef, hash: string): Promise<boolean> =>
  hasChanged(db.deleteFrom("recovery_code").where(ofUser(user)).where("hash", "=", hash).returning("hash"));
