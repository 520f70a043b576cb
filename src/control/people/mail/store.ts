/** SQL of the mails that wait to be sent. */
import { type Selectable, sql } from "kysely";
import { across } from "../../../storage/fence/exceptions.ts";
import type { MailTable } from "../../../storage/tables/users.ts";
import type { Db } from "../../kit/store.ts";

export type MailRow = Selectable<MailTable>;

export type MailKey = Pick<MailRow, "account_id" | "id">;

export async function insertMail(db: Db, row: MailRow): Promise<void> {
  await db.insertInto("mail").values(row).execute();
}

/**
 * The mails that are due, round robin by account, beginning with the account after `last`: an account with many waiting
 * mails does not delay other accounts.
 */
export const listDue = (db: Db, now: number, last: string, limit: number): Promise<MailKey[]> =>
  db
    .selectFrom("mail")
    .select(["account_id", "id"])
    .where("next_try", "<=", now)
    .orderBy(sql`row_number() over (partition by account_id order by next_try, id)`)
    .orderBy(sql`account_id > ${last}`, "desc")
    .orderBy("account_id")
    .limit(limit)
    .modifyEnd(across("schedule"))
    .execute();

export async function isAnyDue(db: Db, now: number): Promise<boolean> {
  const query = db.selectFrom("mail").select("id").where("next_try", "<=", now).limit(1);
  return (await query.modifyEnd(across("schedule")).executeTakeFirst()) !== undefined;
}

export const findMail = (db: Db, { account_id, id }: MailKey): Promise<MailRow | undefined> =>
  db.selectFrom("mail").selectAll().where("account_id", "=", account_id).where("id", "=", id).executeTakeFirst();

export async function updateMail(
  db: Db,
  { account_id, id }: MailKey,
  fields: Pick<MailRow, "attempts" | "next_try">,
): Promise<void> {
  await db.updateTable("mail").set(fields).where("account_id", "=", account_id).where("id", "=", id).execute();
}

/** Postpones all mails that are due. */
export async function postponeDue(db: Db, now: number, next_try: number): Promise<void> {
  await db.updateTable("mail").set({ next_try }).where("next_try", "<=", now).modifyEnd(across("schedule")).execute();
}

/** Lists waiting mails about a resource that contain no link, the oldest first. */
export const listNotices = (db: Db, account_id: string, resource_id: string): Promise<MailRow[]> =>
  db
    .selectFrom("mail")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("resource_id", "=", resource_id)
    .where("gives_access", "=", false)
    .orderBy("created")
    .orderBy("id")
    .execute();

/** The number of waiting mails of all accounts. */
export async function countMail(db: Db): Promise<number> {
  const query = db.selectFrom("mail").select(({ fn }) => fn.countAll<number>().as("rows"));
  return (await query.modifyEnd(across("schedule")).executeTakeFirstOrThrow()).rows;
}

/** Deletes waiting mails about a resource that contain a link. */
export async function deleteLinkMail(db: Db, account_id: string, resource_id: string): Promise<void> {
  const ofResource = db.deleteFrom("mail").where("account_id", "=", account_id).where("resource_id", "=", resource_id);
  await ofResource.where("gives_access", "=", true).execute();
}

/** Deletes all waiting mails about a resource. */
export async function deleteMailAbout(db: Db, account_id: string, resource_id: string): Promise<void> {
  await db.deleteFrom("mail").where("account_id", "=", account_id).where("resource_id", "=", resource_id).execute();
}

/** Returns false if the mail was already gone. */
export async function deleteMail(db: Db, { account_id, id }: MailKey): Promise<boolean> {
  const query = db.deleteFrom("mail").where("account_id", "=", account_id).where("id", "=", id);
  return (await query.executeTakeFirst()).numDeletedRows > 0n;
}
