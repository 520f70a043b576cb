/** SQL of sessions. */
import type { Db } from "../store.ts";
import type { UserRef } from "./token-store.ts";

export async function removeSessions(db: Db, { account_id, id }: UserRef): Promise<void> {
  await db.deleteFrom("user_session").where("account_id", "=", account_id).where("user_id", "=", id).execute();
}
