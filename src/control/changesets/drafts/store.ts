/** SQL of drafts. */
import type { Insertable, Selectable } from "kysely";
import { across } from "../../../storage/fence/exceptions.ts";
import type { DraftTable } from "../../../storage/tables/users.ts";
import { type Db, rowsOf, statement } from "../../kit/store.ts";
import { ofUser, type UserRef } from "../../people/credentials/user-rows-store.ts";

export type DraftRow = Selectable<DraftTable>;
export type DraftHeadRow = Omit<DraftRow, "content" | "account_id" | "user_id" | "octets">;

/** A user's drafts without their contents, in the order of their creation. */
export const listDrafts = (db: Db, user: UserRef): Promise<DraftHeadRow[]> =>
  db
    .selectFrom("draft")
    .select(["id", "name", "zones", "writes", "created_at", "updated_at"])
    .where(ofUser(user))
    .orderBy("id")
    .execute();

export const findDraft = (db: Db, user: UserRef, id: string): Promise<DraftRow | undefined> =>
  db.selectFrom("draft").selectAll().where(ofUser(user)).where("id", "=", id).executeTakeFirst();

export async function insertDraft(db: Db, row: DraftRow): Promise<void> {
  await db.insertInto("draft").values(valuesOf(row)).execute();
}

export async function updateDraft(db: Db, row: DraftRow): Promise<void> {
  const { account_id, user_id, id, created_at: _, ...fields } = valuesOf(row);
  await db
    .updateTable("draft")
    .set(fields)
    .where(ofUser({ account_id, id: user_id }))
    .where("id", "=", id)
    .execute();
}

const valuesOf = (row: DraftRow): Insertable<DraftTable> => ({ ...row, zones: JSON.stringify(row.zones) });

export async function removeDraft(db: Db, user: UserRef, id: string): Promise<void> {
  await db.deleteFrom("draft").where(ofUser(user)).where("id", "=", id).execute();
}

/** The number of the user's drafts but one, their octets, and those of all users of the account. */
export async function sizeOfOthers(db: Db, { account_id, id: user_id }: UserRef, except: string) {
  const text = `
    select count(*) filter (where user_id = $2) as drafts,
      coalesce(sum(octets) filter (where user_id = $2), 0)::float8 as own, coalesce(sum(octets), 0)::float8 as all
    from draft where account_id = $1 and id <> $3`;
  interface Size {
    readonly drafts: number;
    readonly own: number;
    readonly all: number;
  }
  return (await rowsOf(db, statement<Size>(text, [account_id, user_id, except])))[0]!;
}

/** Removes drafts that were changed last before a time. */
export async function trimDrafts(db: Db, before: number): Promise<void> {
  await db.deleteFrom("draft").where("updated_at", "<", before).modifyEnd(across("age")).execute();
}
