/** SQL of an account's requirement that its users have a second factor. */
import type { Db } from "../../kit/store.ts";
import { hasChanged } from "./user-rows-store.ts";

export async function isFactorRequired(db: Db, account_id: string): Promise<boolean> {
  const account = await db
    .selectFrom("account")
    .select("second_factor_required")
    .where("id", "=", account_id)
    .executeTakeFirstOrThrow();
  return account.second_factor_required;
}

/** Returns whether the setting changed. */
export const setFactorRequired = (db: Db, account_id: string, required: boolean): Promise<boolean> =>
  hasChanged(
    db
      .updateTable("account")
      .set({ second_factor_required: required })
      .where("id", "=", account_id)
      .where("second_factor_required", "!=", required)
      .returning("id"),
  );
