/** SQL of the activity log. */
import { type Selectable, sql } from "kysely";
import { plannedEachTime } from "../../../storage/connection/connection.ts";
import type { ActivityTable } from "../../../storage/tables/requests.ts";
import { inserted, type RowKind } from "../../kit/rows.ts";
import { accountsToTrim, type Db, repeated, rowsOf } from "../../kit/store.ts";

export type ActivityRow = Selectable<ActivityTable>;

export const entriesWritten: RowKind<ActivityRow> = inserted("activity", {
  ...{ account_id: "text", id: "text", timestamp: "bigint", resource_type: "text", resource_id: "text" },
  ...{
    user_id: "text",
    user_name: "text",
    user_type: "text",
    action: "text",
    address: "text",
    zone: "text",
    resource: "json",
    before: "json",
  },
});

/** Inserts an entry for an act that is not a request; entries of requests are sent with their other rows. */
export const insertEntry = (db: Db, row: ActivityRow) => rowsOf(db, entriesWritten.write([row]));

export interface ActivityFilter {
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly resource_type: string | undefined;
  readonly resource_id: string | undefined;
  /** Name or id of the author. */
  readonly user: string | undefined;
  /** Entries of this zone, and change sets that name it. */
  readonly zone: string | undefined;
}

const removedAtOnce = 2000;

/** Removes entries older than a time, account by account to use the index. */
export async function trimActivity(db: Db, before: number): Promise<void> {
  for (const id of await accountsToTrim(db)) await removeEntries(db, id, before - 1);
}

/** Removes the entries of an account up to a time, in batches; returns their number. */
export async function removeEntries(db: Db, account_id: string, until: number): Promise<number> {
  const old = db
    .selectFrom("activity")
    .select("id")
    .where("account_id", "=", account_id)
    .where("timestamp", "<=", until)
    .orderBy("timestamp")
    .orderBy("id")
    .limit(removedAtOnce);
  const remove = db.deleteFrom("activity").where("account_id", "=", account_id).where("id", "in", old);
  return await repeated(removedAtOnce, async () => Number((await remove.executeTakeFirstOrThrow()).numDeletedRows));
}

/** The filter and scope of a listing. */
interface Wanted extends ActivityFilter {
  /** Limits the listing to these zones; "" selects entries without a zone. Undefined for all entries. */
  readonly zones?: readonly string[] | undefined;
}

/** Entries of an account after `last`, newest first, at most `limit`. */
export async function listEntries(
  db: Db,
  account_id: string,
  wanted: Wanted,
  limit: number,
  last?: ActivityRow,
): Promise<readonly ActivityRow[]> {
  const { zones = [undefined] } = wanted;
  const slice = () => sliceOf(db, account_id, wanted, limit, last);
  const ofZone = (zone: string | undefined) => (zone === undefined ? slice() : slice().where("zone", "=", zone));
  const places =
    wanted.zone === undefined
      ? zones.map((zone) => () => ofZone(zone))
      : [() => ofZone(wanted.zone), () => naming(slice(), wanted.zone!)];
  const slices = places.flatMap((place) => (wanted.user === undefined ? place() : byUser(place, wanted.user)));
  const [only, ...others] = slices;
  if (only === undefined) return [];
  return others.length === 0 ? await only.execute() : await merged(db, slices, limit);
}

/** Two slices, by id and by name: a single condition on both could not use the order of either index. */
const byUser = (slice: () => Slice, user: string) => [
  slice().where("user_id", "=", user),
  slice().where("user_name", "=", user).where("user_id", "!=", user),
];

/** Change sets of several zones, which are entries of none, if one of their zones is `zone`. */
const naming = (slice: Slice, zone: string) =>
  slice
    .where("zone", "=", "")
    .where("resource_type", "=", "changeset")
    .where(
      sql<boolean>`exists (select from json_array_elements(resource -> 'zones') as one where one ->> 'zone' = ${zone})`,
    );

/** Merges slices, each of which is read in the order of an index and only as far as needed. Planned each time, because their number varies. */
async function merged(db: Db, slices: readonly Slice[], limit: number): Promise<readonly ActivityRow[]> {
  const all = sql.join(slices, sql` union all `);
  const query = sql<ActivityRow>`${sql.raw(plannedEachTime)}
    select * from (${all}) as entry order by timestamp desc, id desc limit ${limit}`;
  return (await query.execute(db)).rows;
}

type Slice = ReturnType<typeof sliceOf>;

function sliceOf(db: Db, account_id: string, wanted: Wanted, limit: number, last: ActivityRow | undefined) {
  const { start, end, resource_type, resource_id } = wanted;
  let query = db
    .selectFrom("activity")
    .selectAll()
    .where("account_id", "=", account_id)
    .orderBy("timestamp", "desc")
    .orderBy("id", "desc")
    .limit(limit);
  if (start !== undefined) query = query.where("timestamp", ">=", start);
  if (end !== undefined) query = query.where("timestamp", "<=", end);
  if (resource_type !== undefined) query = query.where("resource_type", "=", resource_type);
  if (resource_id !== undefined) query = query.where("resource_id", "=", resource_id);
  if (last !== undefined) query = query.where(sql<boolean>`(timestamp, id) < (${last.timestamp}, ${last.id})`);
  return query;
}
