/** SQL of an account's settings. */
import type { Selectable } from "kysely";
import type { AccountTable } from "../../../storage/tables/accounts.ts";
import type { Db } from "../../kit/store.ts";

type Settings = Pick<Selectable<AccountTable>, "contact" | "usage_warnings">;

export const getSettings = (db: Db, account_id: string): Promise<Settings> =>
  db.selectFrom("account").select(["contact", "usage_warnings"]).where("id", "=", account_id).executeTakeFirstOrThrow();

export async function updateSettings(db: Db, account_id: string, settings: Partial<Settings>): Promise<void> {
  const documents = Object.entries(settings).map(([column, value]) => [column, JSON.stringify(value)]);
  await db.updateTable("account").set(Object.fromEntries(documents)).where("id", "=", account_id).execute();
}
