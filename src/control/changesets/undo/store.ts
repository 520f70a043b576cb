/** SQL for undoing a change: its time, and its history in each zone. */
import { isObject } from "../../../lib/values.ts";
import { findChange } from "../../../storage/outbox/changes.ts";
import { type Db, rowsOf, statement } from "../../kit/store.ts";
import type { HistoryEntry } from "../../write/history.ts";
import type { ZoneKey } from "../../zones/history/store.ts";

/** The time of a change, and the names of its zones if the activity log still has them. */
export interface ChangeTime {
  /** Unix seconds. */
  readonly at: number;
  readonly zones: readonly string[];
}

/**
 * Finds the time of a change: that of the activity log for a change set, and for every other change that of the change itself,
 * which is known for a short time only.
 */
export async function findChangeTime(db: Db, account_id: string, id: string): Promise<ChangeTime | undefined> {
  const entry = await db
    .selectFrom("activity")
    .select(["timestamp", "resource"])
    .where("account_id", "=", account_id)
    .where("resource_id", "=", id)
    .where("resource_type", "=", "changeset")
    .executeTakeFirst();
  if (entry) return { at: entry.timestamp, zones: zonesIn(entry.resource) };
  const change = await findChange(db, account_id, id);
  return change && { at: change.created, zones: [] };
}

/** The zones of an entry; none if it was too large to name them. */
function zonesIn(resource: unknown): string[] {
  const zones = isObject(resource) ? resource["zones"] : undefined;
  return Array.isArray(zones) ? zones.map((one) => String(one?.zone)) : [];
}

/** The history of one zone in one change. */
export interface ZoneChange {
  readonly zone_id: string;
  readonly removed: readonly HistoryEntry[];
  readonly added: readonly HistoryEntry[];
}

// the time finds the rows by an index
const ofChange = "from zone_history where account_id = $1 and at = $2 and change_id = $3";

export const listZoneChanges = (db: Db, account_id: string, at: number, id: string) =>
  rowsOf(
    db,
    statement<ZoneChange>(`select zone_id, removed, added ${ofChange} order by zone_id`, [account_id, at, id]),
  );

export async function sizeOfChange(db: Db, account_id: string, at: number, id: string) {
  const text = `
    select count(*) as zones,
      coalesce(sum(greatest(json_array_length(removed), json_array_length(added))), 0)::float8 as records,
      coalesce(sum(octet_length(removed::text) + octet_length(added::text)), 0)::float8 as octets ${ofChange}`;
  interface Size {
    readonly zones: number;
    readonly records: number;
    readonly octets: number;
  }
  return (await rowsOf(db, statement<Size>(text, [account_id, at, id])))[0]!;
}

/** The id of the zone's newest change that has a serial. */
export async function findNewestChange(db: Db, { account_id, id }: ZoneKey): Promise<string | undefined> {
  const versions = db.selectFrom("zone_serial").select("change_id").where("account_id", "=", account_id);
  return (await versions.where("zone_id", "=", id).orderBy("revision", "desc").limit(1).executeTakeFirst())?.change_id;
}
