/** SQL of the changes of zones in a time, without the contents of records. */
import { type Db, rowsOf, statement } from "../kit/store.ts";

/** A record that a change wrote; empty for the zone's own settings. */
export interface ChangedName {
  readonly domain: string;
  readonly type: string;
}

export interface MarkRow {
  readonly zone_id: string;
  readonly change_id: string;
  /** Unix seconds. */
  readonly at: number;
  readonly zone: string;
  readonly user_id: string | null;
  readonly user_name: string | null;
  readonly user_type: string | null;
  readonly action: string | null;
  /** What was changed; null for a change that is too large to be read for this. */
  readonly names: readonly ChangedName[] | null;
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Octets of a change, as the store keeps it, above which its names are not read. */
const mostOctets = 64 * 1024;

const entries = (column: string) => `
  select coalesce(entry -> 'record' ->> 'domain', '') as domain, coalesce(entry -> 'record' ->> 'type', '') as type
  from json_array_elements(history.${column}) as entry`;
const names = `case when pg_column_size(history.removed) + pg_column_size(history.added) <= ${mostOctets} then coalesce((
  select json_agg(name order by name.domain, name.type) from (${entries("removed")} union ${entries("added")}) as name), '[]') end`;
const columns = `history.zone_id, history.change_id, history.at, history.user_id, history.user_name, history.user_type, history.action`;

/** Changes of a zone before a change, newest first. Ids of changes begin with the time at which they were made. */
export const listZoneMarks = (
  db: Db,
  { account_id, id }: { readonly account_id: string; readonly id: string },
  { start, end }: Range,
  before: string | undefined,
  limit: number,
): Promise<readonly MarkRow[]> =>
  rowsOf(
    db,
    statement<MarkRow>(zoneText, [account_id, id, start, end, idAt(start - apart), before ?? idAt(end + apart), limit]),
  );
/** Seconds by which the id of a change and its time may differ: an import takes long, and clocks differ. */
const apart = 86_400;
const idAt = (seconds: number) => Math.max(0, Math.min(seconds, 0xffffffff)).toString(16).padStart(8, "0");
const zoneText = `
  select ${columns}, zone.zone, ${names} as names
  from zone_history as history
  join zone on zone.account_id = history.account_id and zone.id = history.zone_id
  where history.account_id = $1 and history.zone_id = $2 and history.at >= $3 and history.at <= $4
    and history.change_id >= $5 and history.change_id < $6
  order by history.change_id desc limit $7`;

export type MarkPlace = Pick<MarkRow, "at" | "zone_id" | "change_id">;

/** Changes of all zones of an account, also of deleted ones, before a place in this order: newest first. */
export const listAccountMarks = (
  db: Db,
  account_id: string,
  { start, end }: Range,
  before: MarkPlace | undefined,
  limit: number,
): Promise<readonly MarkRow[]> => {
  const { at, zone_id, change_id } = before ?? { at: end + 1, zone_id: "", change_id: "" };
  return rowsOf(db, statement<MarkRow>(accountText, [account_id, start, at, zone_id, change_id, limit]));
};
const accountText = `
  select ${columns}, coalesce(zone.zone, deleted_zone.zone) as zone, ${names} as names
  from zone_history as history
  left join zone on zone.account_id = history.account_id and zone.id = history.zone_id
  left join deleted_zone on deleted_zone.account_id = history.account_id and deleted_zone.id = history.zone_id
  where history.account_id = $1 and history.at >= $2 and history.at <= $3
    and (history.at, history.zone_id, history.change_id) < ($3, $4, $5)
    and coalesce(zone.zone, deleted_zone.zone) is not null
  order by history.at desc, history.zone_id desc, history.change_id desc limit $6`;
