/** SQL of linked records. */

import { sql } from "kysely";
import { upwardsFrom } from "../../../../dns/wire/name.ts";
import type { ZoneRow } from "../../../../storage/tables/zones.ts";
import { type Db, isBelow, rowsOf, statement } from "../../../kit/store.ts";
import { defaultView } from "../../../write/zone-lock.ts";
import type { RecordName } from "./store.ts";

/** A record of a zone that is linked to another record. */
export interface LinkRow extends RecordName {
  readonly zone: string;
  readonly link: string;
}

const names = (records: readonly RecordName[]) => [
  records.map(({ domain }) => domain),
  records.map(({ type }) => type),
];

/** The account's zones with one of these names, the longest name first. */
export async function findZones(db: Db, account_id: string, zones: readonly string[]): Promise<ZoneRow[]> {
  if (zones.length === 0) return [];
  return await db
    .selectFrom("zone")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("view", "=", defaultView)
    .where(sql<boolean>`zone.zone = any(${[...new Set(zones)]}::text[])`)
    .orderBy(({ fn }) => fn<number>("length", ["zone"]), "desc")
    .execute();
}

/** Finds the account's zones that contain these names. The returned function gives the zone that contains one of the names. */
export async function findZonesAbove(db: Db, account_id: string, names: readonly string[]) {
  const zones = await findZones(db, account_id, names.flatMap(upwardsFrom));
  return (name: string) => {
    const above = upwardsFrom(name);
    return zones.find(({ zone }) => above.includes(zone));
  };
}

/** At most `limit` records that are linked to one of the targets. */
export const findLinksTo = (db: Db, account_id: string, targets: readonly RecordName[], limit: number) =>
  rowsOf(db, statement<LinkRow>(linksTo, [account_id, ...names(targets), limit]));
const toTargets = `
  from unnest($2::text[], $3::text[]) as target (domain, type)
  join record on record.account_id = $1 and record.link = target.domain and record.type = target.type
  join zone on zone.account_id = record.account_id and zone.id = record.zone_id`;
const linksTo = `
  select zone.zone, record.domain, record.type, record.link ${toTargets} order by record.domain limit $4`;

/** Ids of the zones that are transferred to secondaries and have a record linked to one of the targets. */
export async function findZonesLinkedTo(db: Db, account_id: string, targets: readonly RecordName[]): Promise<string[]> {
  const rows = await rowsOf(db, statement<{ id: string }>(zonesLinkedTo, [account_id, ...names(targets)]));
  return rows.map(({ id }) => id);
}
const isSent = `zone."primary"->>'enabled' = 'true'`;
// few zones are transferred, but links may be many; OFFSET 0 keeps that order of evaluation
const zonesLinkedTo = `
  select zone.id from zone where zone.account_id = $1 and ${isSent} and exists (
    select from unnest($2::text[], $3::text[]) as target (domain, type) cross join lateral (
      select from record
      where record.account_id = zone.account_id and record.link = target.domain and record.type = target.type
        and record.zone_id = zone.id limit 1 offset 0) as linked)`;

/** At most `limit` records of other zones that are linked to a record of this zone. */
export const findLinksInto = (db: Db, account_id: string, zone: string, limit: number) =>
  rowsOf(db, statement<LinkRow>(linksInto, [account_id, zone, limit]));
// a name belongs to the innermost of nested zones, which has the longest name
const intoZone = `
  from record join zone on zone.account_id = record.account_id and zone.id = record.zone_id
  where record.account_id = $1 and record.link is not null and zone.zone <> $2 and ${contains("$2")}
    and not exists (
      select from zone as inner_zone
      where inner_zone.account_id = $1 and length(inner_zone.zone) > length($2) and ${contains("inner_zone.zone")})`;
const linksInto = `
  select zone.zone, record.domain, record.type, record.link ${intoZone} order by record.domain limit $3`;

/** Ids of the zones that are transferred to secondaries and have a record linked to a record of this zone. */
export async function findZonesLinkedInto(db: Db, account_id: string, zone: string): Promise<string[]> {
  const rows = await rowsOf(db, statement<{ id: string }>(zonesLinkedInto, [account_id, zone]));
  return rows.map(({ id }) => id);
}
const zonesLinkedInto = `select distinct zone.id ${intoZone} and ${isSent}`;

function contains(zone: string): string {
  return `(record.link = ${zone} or ${isBelow("record.link", zone)})`;
}
