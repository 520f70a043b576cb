/** SQL of zones that are transferred from other servers, and of zones whose secondaries are notified. */
import { type Selectable, sql } from "kysely";
import { plannedEachTime } from "../../../storage/connection/connection.ts";
import { across, acrossAccounts } from "../../../storage/fence/exceptions.ts";
import type { ZoneLoad } from "../../../storage/loads.ts";
import type { TransferState, TsigKeyTable } from "../../../storage/tables/transfers.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { type Db, rowsOf, statement } from "../../kit/store.ts";
import type { RecordCursor } from "../../zones/model/record/store.ts";

/** Zones that are due for a refresh, the longest overdue first. Skips the accounts in `busy`. */
export const listDue = (db: Db, now: number, limit: number, busy: readonly string[]): Promise<ZoneRow[]> =>
  db
    .selectFrom("zone")
    .selectAll()
    .where("refresh_at", "<=", now)
    .where("withheld", "=", false)
    .$if(busy.length > 0, (due) => due.where("account_id", "not in", [...busy]))
    .orderBy("refresh_at")
    .limit(limit)
    .modifyEnd(across("schedule"))
    .execute();

/** The next time at which a zone or a catalog becomes due by itself; undefined when there is none. */
export async function findNextDue(db: Db, now: number): Promise<number | undefined> {
  const { rows } = await sql<{ at: number | null }>`
    select least(
      (select min(refresh_at) from zone where refresh_at > ${now} and not withheld),
      (select min(follow_at) from zone where hidden and follow_at > ${now} and not withheld)) as at
    ${across("schedule")}`.execute(db);
  return rows[0]?.at ?? undefined;
}

/** A page of the zones of all accounts that are transferred from or to other servers. */
export const listExchanged = (db: Db, after: Pick<ZoneRow, "account_id" | "id">, limit: number) =>
  db
    .selectFrom("zone")
    .select(["account_id", "id", "zone", "primary", "secondary"])
    .where(sql<boolean>`(refresh_at is not null or "primary"->>'enabled' = 'true')`)
    .where(({ eb, refTuple, tuple }) => eb(refTuple("account_id", "id"), ">", tuple(after.account_id, after.id)))
    .orderBy("account_id")
    .orderBy("id")
    .limit(limit)
    .modifyEnd(across("operator"))
    .execute();

/** Updates a zone if it is still transferred from the servers that the row names. */
const updateSecondary = (db: Db, { account_id, id, secondary, secondary_key }: ZoneRow) =>
  db
    .updateTable("zone")
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .where(sql<boolean>`secondary::jsonb = ${JSON.stringify(secondary)}::jsonb`)
    .where("secondary_key", "is not distinct from", secondary_key)
    .returning("id");

/** Postpones the next refresh, so that it does not begin during this one; false when it was already postponed. */
export async function claimRefresh(db: Db, row: ZoneRow, until: number, transfer: TransferState): Promise<boolean> {
  const claim = updateSecondary(db, row).set({ refresh_at: until, transfer: JSON.stringify(transfer) });
  return (await claim.where("refresh_at", "=", row.refresh_at).execute()).length > 0;
}

/**
 * Saves the outcome of a refresh and the time of the next one: at once, if it was requested in the meantime. Returns
 * false when the zone is no longer transferred from the servers that were asked.
 */
export async function saveRefresh(
  db: Db,
  row: ZoneRow,
  claimed: number,
  next: number,
  transfer: TransferState,
): Promise<boolean> {
  const refresh_at = sql<number>`case when refresh_at = ${claimed} then ${next} else refresh_at end`;
  const saved = updateSecondary(db, row).set({ refresh_at, transfer: JSON.stringify(transfer) });
  return (await saved.execute()).length > 0;
}

export async function setExpired(db: Db, { account_id, id }: ZoneRow, expired: boolean): Promise<void> {
  await db.updateTable("zone").set({ expired }).where("account_id", "=", account_id).where("id", "=", id).execute();
}

/** The zone id under which the records of a load are stored until they become a zone's. */
export type Loaded = Pick<ZoneLoad, "account_id" | "zone_id">;

export interface DifferingName {
  readonly domain: string;
  /** The number of records at the name that differ, and the octets of their answers, old and new together. */
  readonly records: number;
  readonly octets: number;
}

/** Some names at which a load and the zone differ. */
export const listDiffering = (db: Db, { account_id, id }: ZoneRow, { zone_id }: Loaded, limit: number) =>
  rowsOf(db, statement<DifferingName>(differing, [account_id, id, zone_id, limit]));
/** The answers without their ids: strings in JSON contain no unescaped quote, so the pattern is safe. */
const withoutIds = (answers: string) => `regexp_replace(${answers}::text, '"id":"[^"]*"(,"meta":\\{\\})?', '', 'g')`;
const differing = `${plannedEachTime}
  select domain, count(*)::int as records, sum(octets)::float8 as octets from (
    select domain, coalesce(octet_length(old.answers::text), 0) + coalesce(octet_length(new.answers::text), 0) as octets
    from (select domain, type, ttl, answers from record where account_id = $1 and zone_id = $2) as old
    full join (select domain, type, ttl, answers from record where account_id = $1 and zone_id = $3) as new
      using (domain, type)
    where old.ttl is distinct from new.ttl or ${withoutIds("old.answers")} is distinct from ${withoutIds("new.answers")}
    limit $4) as differing
  group by domain`;

/** The record path of the last of at most `limit` records after a record path; undefined when there are none. */
export const endOfSome = async (db: Db, { account_id, zone_id }: Loaded, after: RecordCursor, limit: number) =>
  (await rowsOf(db, statement<RecordCursor>(lastOfSome, [account_id, zone_id, after.domain, after.type, limit])))[0];
const lastOfSome = `
  select domain, type from (
    select domain, type from record where account_id = $1 and zone_id = $2 and (domain, type) > ($3, $4)
    order by domain, type limit $5) as page
  order by domain desc, type desc limit 1`;

type Range = readonly [after: RecordCursor, last: RecordCursor];
const parametersOf = (range: Range) => range.flatMap(({ domain, type }) => [domain, type]);
const within = "account_id = $1 and zone_id = $2 and (domain, type) > ($3, $4) and (domain, type) <= ($5, $6)";

/** Returns the number of removed records. */
export async function removeRange(db: Db, { account_id, zone_id }: Loaded, range: Range): Promise<number> {
  const removal = statement(`delete from record where ${within}`, [account_id, zone_id, ...parametersOf(range)]);
  return Number((await db.executeQuery(removal)).numAffectedRows ?? 0);
}

/** Moves records of a load into the zone. */
export async function moveRange(db: Db, { account_id, zone_id }: Loaded, to: ZoneRow, range: Range): Promise<void> {
  const text = `update record set zone_id = $7 where ${within}`;
  await db.executeQuery(statement(text, [account_id, zone_id, ...parametersOf(range), to.id]));
}

/** Removes the connections of the zone's records to feeds. */
export async function forgetDestinations(db: Db, { account_id, id }: ZoneRow): Promise<void> {
  await db.deleteFrom("destination").where("account_id", "=", account_id).where("zone_id", "=", id).execute();
}

/** Forgets the zone's versions, including saved ones: its primary restarted its serials. */
export async function forgetSerials(db: Db, { account_id, id }: ZoneRow): Promise<void> {
  for (const table of ["zone_serial", "saved_version"] as const) {
    await db.deleteFrom(table).where("account_id", "=", account_id).where("zone_id", "=", id).execute();
  }
}

const isOutgoing = `zone."primary"->>'enabled' = 'true' and not zone.disabled and not zone.expired`;

export type OutgoingZone = Pick<ZoneRow, "account_id" | "id" | "serial">;

/** Zones that other servers transfer from us, with their serials; a linked zone has the serial of its target. */
export const listOutgoing = (db: Db): Promise<readonly OutgoingZone[]> =>
  rowsOf(db, statement<OutgoingZone>(outgoing, []));
const outgoing = `${acrossAccounts("schedule")}
  select account_id, id, serial from zone where ${isOutgoing} and zone.link is null
  union all
  select link.account_id, link.id, zone.serial
  from zone join zone as link on link.account_id = zone.account_id and link.link = zone.zone
  where ${isOutgoing} and not link.disabled`;

export type KeyRow = Selectable<TsigKeyTable>;

export const findKeys = (db: Db, account_id: string, names: readonly string[]): Promise<KeyRow[]> =>
  names.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom("tsig_key")
        .selectAll()
        .where("account_id", "=", account_id)
        .where("name", "in", [...names])
        .execute();
