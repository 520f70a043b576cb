/** SQL of zones that are transferred from other servers, and of those that others are told of. */
import { type Selectable, sql } from "kysely";
import { plannedEachTime } from "../../storage/connection.ts";
import type { TransferState, TsigKeyTable } from "../../storage/tables.ts";
import type { RecordRow } from "../records/store.ts";
import { type Db, rowsOf, statement } from "../store.ts";
import type { ZoneRow } from "../zones/store.ts";

/** Zones that are to be looked at, the longest overdue first; none of the accounts that are `busy`. */
export const listDue = (db: Db, now: number, limit: number, busy: readonly string[]): Promise<ZoneRow[]> =>
  db
    .selectFrom("zone")
    .selectAll()
    .where("refresh_at", "<=", now)
    .$if(busy.length > 0, (due) => due.where("account_id", "not in", [...busy]))
    .orderBy("refresh_at")
    .limit(limit)
    .execute();

/** Whether the zone is still transferred from the servers that a row names. */
const isFrom = ({ secondary, secondary_key }: ZoneRow) => sql<boolean>`
  secondary::jsonb = ${JSON.stringify(secondary)}::jsonb and secondary_key is not distinct from ${secondary_key}`;

/** Puts a look off, so that nobody else begins one meanwhile; false when it was put off already. */
export async function claimLook(db: Db, row: ZoneRow, until: number, transfer: TransferState): Promise<boolean> {
  const { account_id, id, refresh_at } = row;
  const claimed = await db
    .updateTable("zone")
    .set({ refresh_at: until, transfer: JSON.stringify(transfer) })
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .where("refresh_at", "=", refresh_at)
    .where(isFrom(row))
    .returning("id")
    .execute();
  return claimed.length > 0;
}

/**
 * What came of a look, and when the next one is: at once when it was asked for meanwhile. False when the zone is not
 * transferred from the servers any more that were looked at.
 */
export async function saveLook(
  db: Db,
  row: ZoneRow,
  claimed: number,
  next: number,
  transfer: TransferState,
): Promise<boolean> {
  const { account_id, id } = row;
  const saved = await db
    .updateTable("zone")
    .set({
      refresh_at: sql<number>`case when refresh_at = ${claimed} then ${next} else refresh_at end`,
      transfer: JSON.stringify(transfer),
    })
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .where(isFrom(row))
    .returning("id")
    .execute();
  return saved.length > 0;
}

export async function setExpired(db: Db, { account_id, id }: ZoneRow, expired: boolean): Promise<void> {
  await db.updateTable("zone").set({ expired }).where("account_id", "=", account_id).where("id", "=", id).execute();
}

/** The records at places of a zone. */
export const recordsAtPlaces = async (
  db: Db,
  { account_id, id }: Pick<ZoneRow, "account_id" | "id">,
  places: readonly { readonly domain: string; readonly type: string }[],
): Promise<RecordRow[]> => {
  const parameters = [account_id, id, places.map(({ domain }) => domain), places.map(({ type }) => type)];
  const rows = await rowsOf(db, statement<{ record: RecordRow }>(atPlaces, parameters));
  return rows.map(({ record }) => record);
};
const atPlaces = `${plannedEachTime}
  select to_json(record) as record from unnest($3::text[], $4::text[]) as place (domain, type)
  join record on record.account_id = $1 and record.zone_id = $2 and record.domain = place.domain
    and record.type = place.type`;

/** Forgets the zone's versions, saved ones too: its primary began to count anew. */
export async function forgetSerials(db: Db, { account_id, id }: ZoneRow): Promise<void> {
  for (const table of ["zone_serial", "saved_version"] as const) {
    await db.deleteFrom(table).where("account_id", "=", account_id).where("zone_id", "=", id).execute();
  }
}

export type OutgoingZone = Pick<ZoneRow, "account_id" | "id" | "serial">;

/** Zones that others transfer from us, with their serials. */
export const listOutgoing = (db: Db): Promise<OutgoingZone[]> =>
  db
    .selectFrom("zone")
    .select(["account_id", "id", "serial"])
    .where(sql<boolean>`"primary"->>'enabled' = 'true'`)
    .where("disabled", "=", false)
    .where("expired", "=", false)
    .execute();

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
