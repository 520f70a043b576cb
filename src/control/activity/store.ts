/** SQL of the activity log. */
import { type Selectable, sql } from "kysely";
import { across } from "../../storage/fence/across.ts";
import type { ActivityTable } from "../../storage/tables/requests.ts";
import { inserted, type RowKind } from "../rows.ts";
import type { Db } from "../store.ts";

export type ActivityRow = Selectable<ActivityTable>;

export const entriesWritten: RowKind<ActivityRow> = inserted("activity", {
  ...{ account_id: "text", id: "text", timestamp: "bigint", resource_type: "text", resource_id: "text" },
  ...{
    user_id: "text",
    user_name: "text",
    user_type: "text",
    action: "text",
    address: "text",
    resource: "json",
    before: "json",
  },
});

/** For what is not a request, whose entry goes with its other rows. */
export async function insertEntry(db: Db, row: ActivityRow): Promise<void> {
  await db
    .insertInto("activity")
    .values({
      ...row,
      resource: JSON.stringify(row.resource),
      before: row.before === null ? null : JSON.stringify(row.before),
    })
    .execute();
}

export interface ActivityFilter {
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly resource_type: string | undefined;
  readonly resource_id: string | undefined;
  /** Name or id of who did it. */
  readonly user: string | undefined;
}

const removedAtOnce = 2000;

/** Forgets what is older than a time, of one account after another, as the index has it. */
export async function trimActivity(db: Db, before: number): Promise<void> {
  const accounts = await db.selectFrom("account").select("id").modifyEnd(across("age")).execute();
  for (const { id } of accounts) {
    const old = db
      .selectFrom("activity")
      .select("id")
      .where("account_id", "=", id)
      .where("timestamp", "<", before)
      .orderBy("timestamp")
      .orderBy("id")
      .limit(removedAtOnce);
    const remove = db.deleteFrom("activity").where("account_id", "=", id).where("id", "in", old);
    while ((await remove.executeTakeFirstOrThrow()).numDeletedRows === BigInt(removedAtOnce));
  }
}

/** Entries of an account, newest first: at most `limit` of those after `last`. */
export function listEntries(
  db: Db,
  account_id: string,
  filter: ActivityFilter,
  limit: number,
  last?: ActivityRow,
): Promise<ActivityRow[]> {
  const { user } = filter;
  const slice = () => sliceOf(db, account_id, filter, limit, last);
  if (user === undefined) return slice().selectAll().execute();
  // each in the order of its own index; a condition on either would leave that of the whole log
  const byId = slice().select("id").where("user_id", "=", user);
  const byName = slice().select("id").where("user_name", "=", user);
  return newest(db, account_id, limit)
    .selectAll()
    .where(
      "id",
      "in",
      db
        .selectFrom(byId.as("by_id"))
        .select("id")
        .unionAll(db.selectFrom(byName.as("by_name")).select("id")),
    )
    .execute();
}

const newest = (db: Db, account_id: string, limit: number) =>
  db
    .selectFrom("activity")
    .where("account_id", "=", account_id)
    .orderBy("timestamp", "desc")
    .orderBy("id", "desc")
    .limit(limit);

function sliceOf(db: Db, account_id: string, filter: ActivityFilter, limit: number, last: ActivityRow | undefined) {
  let query = newest(db, account_id, limit);
  if (filter.start !== undefined) query = query.where("timestamp", ">=", filter.start);
  if (filter.end !== undefined) query = query.where("timestamp", "<=", filter.end);
  if (filter.resource_type !== undefined) query = query.where("resource_type", "=", filter.resource_type);
  if (filter.resource_id !== undefined) query = query.where("resource_id", "=", filter.resource_id);
  if (last !== undefined) {
    query = query.where(sql<boolean>`(timestamp, id) < (${last.timestamp}, ${last.id})`);
  }
  return query;
}
