/** SQL of the activity log. */
import { type Selectable, sql } from "kysely";
import type { ActivityTable } from "../../storage/tables.ts";
import { type Db, insertText, type Statement, statement } from "../store.ts";

export type ActivityRow = Selectable<ActivityTable>;

const columns = [
  "account_id",
  "id",
  "timestamp",
  "resource_type",
  "resource_id",
  "user_id",
  "user_name",
  "user_type",
  "action",
  "address",
] as const;
const insertEntryText = insertText("activity", [...columns, "resource"]);

export const insertEntry = (entry: ActivityRow): Statement =>
  statement(insertEntryText, [...columns.map((column) => entry[column]), JSON.stringify(entry.resource)]);

export interface ActivityFilter {
  readonly limit: number;
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly resource_type: string | undefined;
  readonly resource_id: string | undefined;
  /** Name or id of who did it. */
  readonly user: string | undefined;
}

/** Entries of an account, newest first. */
export function listEntries(db: Db, account_id: string, filter: ActivityFilter): Promise<ActivityRow[]> {
  let query = db.selectFrom("activity").selectAll().where("account_id", "=", account_id);
  if (filter.start !== undefined) query = query.where("timestamp", ">=", filter.start);
  if (filter.end !== undefined) query = query.where("timestamp", "<=", filter.end);
  if (filter.resource_type !== undefined) query = query.where("resource_type", "=", filter.resource_type);
  if (filter.resource_id !== undefined) query = query.where("resource_id", "=", filter.resource_id);
  if (filter.user !== undefined) {
    query = query.where(sql<boolean>`${filter.user} in (user_id, user_name)`);
  }
  return query.orderBy("timestamp", "desc").orderBy("id", "desc").limit(filter.limit).execute();
}
