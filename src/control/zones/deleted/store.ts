/** SQL of deleted zones: their rows move to a table of their own, their records stay where they are. */
import { type Selectable, sql } from "kysely";
import { across } from "../../../storage/fence/exceptions.ts";
import type { DeletedZoneTable } from "../../../storage/tables/zones.ts";
import { type Part, readPart, sizeOfAll } from "../../kit/parts.ts";
import { type Db, rowsOf, statement } from "../../kit/store.ts";
import { claimOf, dropClaim } from "../model/zone/store.ts";

export type DeletedRow = Selectable<DeletedZoneTable>;

/** Moves the zone's row to the deleted zones and unbinds its records from feeds; its name stays claimed. */
export async function insertDeleted(db: Db, row: DeletedRow): Promise<void> {
  const { account_id, id } = row;
  await Promise.all([
    db
      .insertInto("deleted_zone")
      .values({ ...row, fields: JSON.stringify(row.fields) })
      .execute(),
    db.deleteFrom("destination").where("account_id", "=", account_id).where("zone_id", "=", id).execute(),
    db.deleteFrom("zone_delegation").where("account_id", "=", account_id).where("zone_id", "=", id).execute(),
    db.deleteFrom("zone").where("account_id", "=", account_id).where("id", "=", id).execute(),
  ]);
}

export async function removeDeleted(db: Db, { account_id, id }: DeletedRow): Promise<void> {
  await db.deleteFrom("deleted_zone").where("account_id", "=", account_id).where("id", "=", id).execute();
}

/** The zones that can be brought back. */
const restorable = (db: Db, account_id: string, now: number) =>
  db.selectFrom("deleted_zone").selectAll().where("account_id", "=", account_id).where("kept_until", ">", now);

/** Finds a zone that can be brought back, by id or by name, and locks it; a name means the zone with that name that was deleted last. */
export const findDeleted = (db: Db, account_id: string, named: string, now: number) =>
  restorable(db, account_id, now)
    .where((eb) => eb.or([eb("id", "=", named), eb("zone", "=", named)]))
    .orderBy("deleted_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .forUpdate()
    .executeTakeFirst();

/** Serials of the deleted zones with this name; secondaries may still have these serials. */
export const serialsDeleted = async (db: Db, account_id: string, zone: string): Promise<number[]> => {
  const gone = db.selectFrom("deleted_zone").select("serial").where("account_id", "=", account_id);
  return (await gone.where("zone", "=", zone).execute()).map(({ serial }) => serial);
};

export interface DeletedCursor {
  readonly zone: string;
  readonly id: string;
}

/** At most `limit` zones that can be brought back, ordered by name and id, within the octets of one statement. */
export async function listDeleted(
  db: Db,
  account_id: string,
  now: number,
  after: DeletedCursor,
  limit: number,
): Promise<Part<DeletedRow>> {
  const zones = restorable(db, account_id, now)
    .where(({ eb, refTuple, tuple }) => eb(refTuple("zone", "id"), ">", tuple(after.zone, after.id)))
    .orderBy("zone")
    .orderBy("id")
    .limit(limit);
  const sized = await zones
    .clearSelect()
    .select(["zone", "id", sql.raw<number>(sizeOfAll(["fields"])).as("octets")])
    .execute();
  return await readPart(sized, limit, ({ zone, id }) =>
    zones.where(({ eb, refTuple, tuple }) => eb(refTuple("zone", "id"), "<=", tuple(zone, id))).execute(),
  );
}

/** Deleted zones of all accounts that can no longer be brought back. */
export const listExpired = (db: Db, now: number, limit: number): Promise<DeletedRow[]> =>
  db
    .selectFrom("deleted_zone")
    .selectAll()
    .where("kept_until", "<=", now)
    .orderBy("kept_until")
    .limit(limit)
    .modifyEnd(across("age"))
    .execute();

/** A page of the deleted zones of all accounts that can be brought back and have a claim on their name. */
export const listClaiming = (db: Db, now: number, after: Pick<DeletedRow, "account_id" | "id">, limit: number) =>
  db
    .selectFrom("deleted_zone")
    .innerJoin("zone_claim", (join) =>
      join
        .onRef("zone_claim.account_id", "=", "deleted_zone.account_id")
        .onRef("zone_claim.zone_id", "=", "deleted_zone.id")
        .onRef("zone_claim.fqdn", "=", "deleted_zone.zone"),
    )
    .selectAll("deleted_zone")
    .where("kept_until", ">", now)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple("deleted_zone.account_id", "deleted_zone.id"), ">", tuple(after.account_id, after.id)),
    )
    .orderBy("deleted_zone.account_id")
    .orderBy("deleted_zone.id")
    .limit(limit)
    .modifyEnd(across("schedule"))
    .execute();

/** Whether the zone is still deleted; it cannot be brought back until the transaction ends. */
export async function lockDeleted(db: Db, account_id: string, id: string): Promise<boolean> {
  const row = db.selectFrom("deleted_zone").select("id").where("account_id", "=", account_id).where("id", "=", id);
  return (await row.forUpdate().execute()).length > 0;
}

/** Makes sure that no process, even with a slow clock, brings the zone back. Returns false if the row has changed since it was read. */
export async function expireDeleted(db: Db, { account_id, id, kept_until }: DeletedRow): Promise<boolean> {
  const ended = await db
    .updateTable("deleted_zone")
    .set({ kept_until: 0 })
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .where("kept_until", "=", kept_until)
    .returning("id")
    .execute();
  return ended.length > 0;
}

/**
 * Makes the zones of an account that were deleted up to a time ones that nobody brings back; returns their number. The one
 * that was deleted last stays, however large it is.
 */
export async function expireOldest(db: Db, account_id: string, until: number): Promise<number> {
  const newest = db
    .selectFrom("deleted_zone")
    .select("id")
    .where("account_id", "=", account_id)
    .where("kept_until", ">", 0)
    .orderBy("deleted_at", "desc")
    .orderBy("id", "desc")
    .limit(1);
  const ended = db
    .updateTable("deleted_zone")
    .set({ kept_until: 0 })
    .where("account_id", "=", account_id)
    .where("deleted_at", "<=", until)
    .where("kept_until", ">", 0)
    .where("id", "<>", newest);
  return Number((await ended.executeTakeFirstOrThrow()).numUpdatedRows);
}

/** Releases the name, unless a zone or another deleted zone has it. The domain must be locked. */
export async function releaseClaim(db: Db, { account_id, id, zone }: DeletedRow, now: number): Promise<void> {
  const others = restorable(db, account_id, now).where("zone", "=", zone).where("id", "<>", id);
  const other = await others.limit(1).executeTakeFirst();
  if (other) {
    await claimOf(db, account_id, zone).where("zone_id", "=", id).set({ zone_id: other.id }).execute();
    return;
  }
  await dropClaim(db, account_id, zone, id);
}

const mostAtOnce = 2000;

/** Removes records, owner names and saved versions of a zone that is gone for good, in batches. */
export async function removeContents(db: Db, { account_id, id }: DeletedRow): Promise<void> {
  for (const text of [someRecords, someOwners]) {
    while ((await rowsOf(db, statement(text, [account_id, id, mostAtOnce]))).length === mostAtOnce);
  }
  await db.deleteFrom("saved_version").where("account_id", "=", account_id).where("zone_id", "=", id).execute();
}

const someRecords = `
  delete from record where account_id = $1 and zone_id = $2 and (domain, type) in (
    select domain, type from record where account_id = $1 and zone_id = $2 limit $3)
  returning 1`;
const someOwners = `
  delete from owner where account_id = $1 and zone_id = $2 and domain in (
    select domain from owner where account_id = $1 and zone_id = $2 limit $3)
  returning 1`;
