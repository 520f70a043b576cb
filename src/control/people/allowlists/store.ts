/** SQL of an account's allow lists. */
import { type Selectable, sql } from "kysely";
import type { AllowListTable } from "../../../storage/tables/accounts.ts";
import type { Db } from "../../kit/store.ts";

export type AllowListRow = Selectable<AllowListTable>;

export async function insertAllowList(db: Db, row: AllowListRow): Promise<void> {
  await db
    .insertInto("allow_list")
    .values({ ...row, values: JSON.stringify(row.values) })
    .execute();
}

export async function updateAllowList(db: Db, { account_id, id, name, values }: AllowListRow): Promise<void> {
  await db
    .updateTable("allow_list")
    .set({ name, values: JSON.stringify(values) })
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .execute();
}

/** Removes all values from an account's lists. Returns the lists that contained any, as they were before. */
export async function emptyAllowLists(db: Db, account_id: string): Promise<AllowListRow[]> {
  const filled = await db
    .selectFrom("allow_list")
    .selectAll()
    .where("account_id", "=", account_id)
    .where(sql<boolean>`json_array_length("values") > 0`)
    .orderBy("id")
    .execute();
  for (const row of filled) await updateAllowList(db, { ...row, values: [] });
  return filled;
}
