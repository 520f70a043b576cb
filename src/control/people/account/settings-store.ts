/** SQL of an account's settings. */
import type { Selectable } from "kysely";
import type { AccountTable } from "../../../storage/tables/accounts.ts";
import type { Db } from "../../kit/store.ts";

export type Settings = Pick<Selectable<AccountTable>, "contact" | "usage_warnings" | "deletion_guard">;

export const getSettings = (db: Db, account_id: string): Promise<Settings> =>
  db
    .selectFrom("account")
    .select(["contact", "usage_warnings", "deletion_guard"])
    .where("id", "=", account_id)
    .executeTakeFirstOrThrow();

export async function updateSettings(db: Db, account_id: string, settings: Partial<Settings>): Promise<void> {
  const columns = Object.entries(settings).map(([column, value]) => [
    column,
    typeof value === "object" && value !== null ? JSON.stringify(value) : value,
  ]);
  await db.updateTable("account").set(Object.fromEntries(columns)).where("id", "=", account_id).execute();
}
