/** SQL of saved views. */
import type { Selectable } from "kysely";
import type { ViewTable } from "../../../storage/tables/users.ts";
import { type Db, rowsOf, statement } from "../../kit/store.ts";
import { ofUser, type UserRef } from "../credentials/user-rows-store.ts";

export type ViewRow = Selectable<ViewTable>;

/** A user's views in the order of their creation; with `page`, only those of one page. */
export const listViews = (db: Db, user: UserRef, page: string | undefined): Promise<ViewRow[]> =>
  db
    .selectFrom("saved_view")
    .selectAll()
    .where(ofUser(user))
    .$if(page !== undefined, (query) => query.where("page", "=", page!))
    .orderBy("id")
    .execute();

export const findView = (db: Db, user: UserRef, id: string): Promise<ViewRow | undefined> =>
  db.selectFrom("saved_view").selectAll().where(ofUser(user)).where("id", "=", id).executeTakeFirst();

export async function insertView(db: Db, row: ViewRow): Promise<void> {
  await db
    .insertInto("saved_view")
    .values({ ...row, settings: JSON.stringify(row.settings) })
    .execute();
}

export async function updateView(db: Db, row: ViewRow): Promise<void> {
  const { account_id, user_id, id, name, page, updated_at } = row;
  await db
    .updateTable("saved_view")
    .set({ name, page, settings: JSON.stringify(row.settings), updated_at })
    .where(ofUser({ account_id, id: user_id }))
    .where("id", "=", id)
    .execute();
}

export async function removeView(db: Db, user: UserRef, id: string): Promise<void> {
  await db.deleteFrom("saved_view").where(ofUser(user)).where("id", "=", id).execute();
}

/** The numbers of a user's views, and of those of all users of the account. */
export async function countViews(db: Db, { account_id, id }: UserRef) {
  const text =
    "select count(*) filter (where user_id = $2) as own, count(*) as all from saved_view where account_id = $1";
  return (await rowsOf(db, statement<{ own: number; all: number }>(text, [account_id, id])))[0]!;
}
