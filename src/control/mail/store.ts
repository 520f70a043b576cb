/** SQL of the mails that wait to be sent. */
import type { Selectable } from "kysely";
import { across } from "../../storage/fence/across.ts";
import type { MailTable } from "../../storage/tables/users.ts";
import type { Db } from "../store.ts";

export type MailRow = Selectable<MailTable>;

type MailKey = Pick<MailRow, "account_id" | "id">;

export async function insertMail(db: Db, row: MailRow): Promise<void> {
  await db.insertInto("mail").values(row).execute();
}

/** Those of all accounts whose time has come. */
export const listDue = (db: Db, now: number, limit: number): Promise<MailRow[]> =>
  db
    .selectFrom("mail")
    .selectAll()
    .where("next_try", "<=", now)
    .orderBy("next_try")
    .orderBy("id")
    .limit(limit)
    .modifyEnd(across("schedule"))
    .execute();

export async function updateMail(
  db: Db,
  { account_id, id }: MailKey,
  fields: Pick<MailRow, "attempts" | "next_try">,
): Promise<void> {
  await db.updateTable("mail").set(fields).where("account_id", "=", account_id).where("id", "=", id).execute();
}

/** Makes all that are due wait as well. */
export async function postponeDue(db: Db, now: number, next_try: number): Promise<void> {
  await db.updateTable("mail").set({ next_try }).where("next_try", "<=", now).modifyEnd(across("schedule")).execute();
}

/** News about a resource that wait for a recipient. */
export const listNews = (db: Db, account_id: string, resource_id: string, recipient: string): Promise<MailRow[]> =>
  db
    .selectFrom("mail")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("resource_id", "=", resource_id)
    .where("recipient", "=", recipient)
    .where("is_way_in", "=", false)
    .execute();

/** How many wait, of all accounts. */
export async function countMail(db: Db): Promise<number> {
  const query = db.selectFrom("mail").select(({ fn }) => fn.countAll<number>().as("rows"));
  return (await query.modifyEnd(across("schedule")).executeTakeFirstOrThrow()).rows;
}

/** Takes back ways in that wait and are about a resource. */
export async function deleteWaysIn(db: Db, account_id: string, resource_id: string): Promise<void> {
  const ofResource = db.deleteFrom("mail").where("account_id", "=", account_id).where("resource_id", "=", resource_id);
  await ofResource.where("is_way_in", "=", true).execute();
}

/** Takes back what waits and is about a resource. */
export async function deleteMailAbout(db: Db, account_id: string, resource_id: string): Promise<void> {
  await db.deleteFrom("mail").where("account_id", "=", account_id).where("resource_id", "=", resource_id).execute();
}

/** False when it was gone. */
export async function deleteMail(db: Db, { account_id, id }: MailKey): Promise<boolean> {
  const query = db.deleteFrom("mail").where("account_id", "=", account_id).where("id", "=", id);
  return (await query.executeTakeFirst()).numDeletedRows > 0n;
}
