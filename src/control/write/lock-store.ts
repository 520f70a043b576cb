/** SQL of the names that a transaction locks. */

import { plannedEachTime } from "../../storage/connection/connection.ts";
import type { RecordRow } from "../../storage/tables/records.ts";
import type { RowKind } from "../kit/rows.ts";
import { type Db, rowsOf, type Statement, statement } from "../kit/store.ts";
import { defaultView, sharedGate } from "./zone-lock.ts";

/** The fields of a zone that its records need. */
export interface RecordZone {
  readonly id: string;
  readonly zone: string;
  readonly nx_ttl: number;
  readonly networks: readonly number[];
  readonly tags: Readonly<Record<string, unknown>>;
  /** Set in a zone that is transferred from another server. */
  readonly refresh_at?: number | null;
  /** Set in a catalog zone. */
  readonly hidden?: boolean;
  /** The zone that this zone is linked to; a linked zone has no records of its own. */
  readonly link: string | null;
}

/** A zone with records in it. */
export interface RecordsInZone {
  readonly zone: RecordZone;
  readonly records: readonly RecordRow[];
}

/** A zone and one of its records, or null. */
export type ZoneWithRecord = RecordZone & { readonly record: RecordRow | null };

export function gather(rows: readonly ZoneWithRecord[]): RecordsInZone | undefined {
  const [first] = rows;
  if (!first) return undefined;
  const { record: _, ...zone } = first;
  return { zone, records: rows.flatMap(({ record }) => record ?? []) };
}

/** An owner name in a zone, whether it exists or not. */
export interface NameInZone {
  readonly account_id: string;
  readonly zone: string;
  readonly domain: string;
}

/** A zone, a record at the n-th name (from 1) or null, and whether any record is linked to that name. */
export type NthRow = ZoneWithRecord & { readonly n: number; readonly is_target: boolean };

/**
 * Locks names in the given order until the transaction ends, and reads the records there. A name whose zone
 * does not exist has no row. Until the transaction ends, the zones cannot be deleted. Outside of a transaction it only
 * reads.
 */
export async function lockNames(db: Db, names: readonly NameInZone[]): Promise<readonly NthRow[]> {
  const [first] = names;
  const [lock, read] = first && names.length === 1 ? ofOne(first) : ofMany(names);
  if (!db.isTransaction) return await rowsOf(db, read);
  // sent together: the second statement sees everything committed while the first waited
  const [, rows] = await Promise.all([rowsOf(db, lock), rowsOf(db, read)]);
  return rows;
}

/** Removes names without records from the table of owner names. */
export const removeUnused = (names: readonly NameInZone[]): Statement => statement(forget, columnsOf(names));

/** Names that were locked although they have no records. */
export const namesUnused: RowKind<NameInZone> = { write: removeUnused };

type Statements = readonly [lock: Statement, read: Statement<NthRow>];

function ofOne({ account_id, zone, domain }: NameInZone): Statements {
  const parameters = [account_id, zone, defaultView, domain];
  return [statement(lockOne, parameters), statement(readOne, parameters)];
}

const ofMany = (names: readonly NameInZone[]): Statements => [
  statement(lockMany, columnsOf(names)),
  statement(readMany, columnsOf(names)),
];

const columnsOf = (names: readonly NameInZone[]) => [
  names.map((name) => name.account_id),
  names.map((name) => name.zone),
  defaultView,
  names.map((name) => name.domain),
];

// DO UPDATE locks an existing row, and its false condition leaves the row unchanged
const unlessThere = "on conflict (account_id, zone_id, domain) do update set domain = excluded.domain where false";
const columns = "zone.id, zone.zone, zone.nx_ttl, zone.networks, zone.tags, zone.link, zone.refresh_at, zone.hidden";

const isTarget = (domain: string) => `
  exists (select from record as other where other.account_id = zone.account_id and other.link = ${domain} offset 0) as is_target`;

const named = "where zone.account_id = $1 and zone.zone = $2 and zone.view = $3";
const lockOne = `
  insert into owner (account_id, zone_id, domain)
  select zone.account_id, zone.id, $4::text from zone ${named} and ${sharedGate} for key share ${unlessThere}`;
const readOne = `
  select 1 as n, ${columns}, ${isTarget("$4")}, to_json(record) as record
  from zone left join record
    on record.account_id = zone.account_id and record.zone_id = zone.id and record.domain = $4 ${named}`;

// OFFSET 0 keeps the order of evaluation, so that a plan made for small tables also suits large ones
const given = `unnest($1::text[], $2::text[], $4::text[]) with ordinality as given (account_id, zone, domain, n)
  cross join lateral (
    select zone.* from zone
    where zone.account_id = given.account_id and zone.zone = given.zone and zone.view = $3`;
const lockMany = `
  insert into owner (account_id, zone_id, domain)
  select zone.account_id, zone.id, given.domain
  from ${given} and ${sharedGate} offset 0 for key share) as zone order by n ${unlessThere}`;
const readMany = `
  select n, ${columns}, ${isTarget("given.domain")}, record.record from ${given} offset 0) as zone
  left join lateral (
    select to_json(record) as record from record
    where record.account_id = zone.account_id and record.zone_id = zone.id and record.domain = given.domain offset 0
  ) as record on true`;
const forget = `${plannedEachTime}
  delete from owner using zone, unnest($1::text[], $2::text[], $4::text[]) as given (account_id, zone, domain)
  where zone.account_id = given.account_id and zone.zone = given.zone and zone.view = $3
    and owner.account_id = given.account_id and owner.zone_id = zone.id and owner.domain = given.domain
    and not exists (
      select from record
      where record.account_id = owner.account_id and record.zone_id = owner.zone_id and record.domain = owner.domain)`;
