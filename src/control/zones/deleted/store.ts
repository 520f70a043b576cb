/** SQL of zones that were deleted: their rows wait in a table of their own, their records stay where they are. */
import type { Selectable } from "kysely";
import { across } from "../../../storage/fence/across.ts";
import type { DeletedZoneTable, ZoneRow } from "../../../storage/tables/zones.ts";
import { type Db, rowsOf, statement } from "../../kit/store.ts";
import { defaultView } from "../../write/zone-lock.ts";

export type DeletedRow = Selectable<DeletedZoneTable>;

/** The zone is no zone any more; its name stays claimed. What its records take from feeds is given up. */
export async function insertDeleted(db: Db, row: DeletedRow): Promise<void> {
  const { account_id, id } = row;
  await Promise.all([
    db
      .insertInto("deleted_zone")
      .values({ ...row, fields: JSON.stringify(row.fields) })
      .execute(),
    db.deleteFrom("destination").where("account_id", "=", account_id).where("zone_id", "=", id).execute(),
    db.deleteFrom("zone").where("account_id", "=", account_id).where("id", "=", id).execute(),
  ]);
}

export async function forgetDeleted(db: Db, { account_id, id }: DeletedRow): Promise<void> {
  await db.deleteFrom("deleted_zone").where("account_id", "=", account_id).where("id", "=", id).execute();
}

/** A zone that can be brought back, by its id, or by its name: then the one that was deleted last. */
export const findDeleted = (db: Db, account_id: string, named: string, now: number, lock = false) =>
  db
    .selectFrom("deleted_zone")
    .selectAll()
    .where("account_id", "=", account_id)
    .where((eb) => eb.or([eb("id", "=", named), eb("zone", "=", named)]))
    .where("kept_until", ">", now)
    .orderBy("deleted_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();

/** Serials that servers may have which followed deleted zones of a name. */
export const serialsDeleted = async (db: Db, account_id: string, zone: string): Promise<number[]> => {
  const gone = db.selectFrom("deleted_zone").select("serial").where("account_id", "=", account_id);
  return (await gone.where("zone", "=", zone).execute()).map(({ serial }) => serial);
};

export interface DeletedCursor {
  readonly zone: string;
  readonly id: string;
}

/** Zones that can be brought back, by name and id. */
export const listDeleted = (db: Db, account_id: string, now: number, after: DeletedCursor, limit: number) =>
  db
    .selectFrom("deleted_zone")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("kept_until", ">", now)
    .where(({ eb, refTuple, tuple }) => eb(refTuple("zone", "id"), ">", tuple(after.zone, after.id)))
    .orderBy("zone")
    .orderBy("id")
    .limit(limit)
    .execute();

/** Zones of any account that cannot be brought back any more. */
export const listEnded = (db: Db, now: number, limit: number): Promise<DeletedRow[]> =>
  db
    .selectFrom("deleted_zone")
    .selectAll()
    .where("kept_until", "<=", now)
    .orderBy("kept_until")
    .limit(limit)
    .modifyEnd(across("age"))
    .execute();

/** Nobody can bring it back any more, whatever time their clock says. False when somebody has, since the row was read. */
export async function endKeeping(db: Db, { account_id, id, kept_until }: DeletedRow): Promise<boolean> {
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

/** The claim is this zone's again. */
export async function reclaim(db: Db, { account_id, id, zone }: DeletedRow | ZoneRow): Promise<void> {
  await claimOf(db, account_id, zone).set({ zone_id: id }).execute();
}

const claimOf = (db: Db, account_id: string, zone: string) =>
  db
    .updateTable("zone_claim")
    .where("view", "=", defaultView)
    .where("fqdn", "=", zone)
    .where("account_id", "=", account_id);

/** Gives the name up, unless a zone or another deleted one has it. Only while its domain is locked. */
export async function releaseClaim(db: Db, { account_id, id, zone }: DeletedRow, now: number): Promise<void> {
  const others = db
    .selectFrom("deleted_zone")
    .select("id")
    .where("account_id", "=", account_id)
    .where("zone", "=", zone)
    .where("id", "<>", id)
    .where("kept_until", ">", now);
  const [other] = await others.limit(1).execute();
  if (other) {
    await claimOf(db, account_id, zone).where("zone_id", "=", id).set({ zone_id: other.id }).execute();
    return;
  }
  await db
    .deleteFrom("zone_claim")
    .where("view", "=", defaultView)
    .where("fqdn", "=", zone)
    .where("account_id", "=", account_id)
    .where("zone_id", "=", id)
    .execute();
}

const mostAtOnce = 2000;

/** Records, owner names and saved versions of a zone that is gone for good, a part at a time. */
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
