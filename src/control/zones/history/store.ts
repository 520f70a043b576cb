/** SQL of versions: the serials of a zone in order, and the changes between two of them. */
import { historyOfSerial } from "../../../sync/postgres/history.ts";
import { type Db, rowsOf, statement } from "../../kit/store.ts";
import type { HistoryEntry } from "../../write/history.ts";

/** A serial that the zone had, and the change that gave it. */
export interface VersionRow {
  readonly serial: number;
  readonly revision: number;
  /** Unix seconds. */
  readonly at: number;
  readonly user_id: string | null;
  readonly user_name: string | null;
  readonly user_type: string | null;
  readonly action: string | null;
  readonly restored: number | null;
  /** Number of history entries that the change removed, and that it added. */
  readonly removed: number;
  readonly added: number;
  /** The name of a saved version. */
  readonly name: string | null;
  /** A client deleted the version, so listings leave it out. */
  readonly unlisted: boolean;
}

export interface ZoneKey {
  readonly account_id: string;
  readonly id: string;
}

/** Bounds before and after all revisions. */
export const beginning = -(2 ** 40);
export const end = 2 ** 53;

const columns = `
  given.serial, given.revision, coalesce(history.at, 0) as at, history.user_id, history.user_name, history.user_type,
  history.action, history.restored, coalesce(json_array_length(history.removed), 0) as removed,
  coalesce(json_array_length(history.added), 0) as added, saved.name, given.unlisted`;
const joined = `
  left join ${historyOfSerial}
  left join saved_version as saved on saved.account_id = given.account_id and saved.zone_id = given.zone_id
    and saved.serial = given.serial
  where given.account_id = $1 and given.zone_id = $2`;
const versions = `select ${columns} from zone_serial as given ${joined}`;
const newestFirst = "order by given.revision desc limit";

/** A page of versions before a revision, newest first. */
export const listVersions = (db: Db, { account_id, id }: ZoneKey, before: number, limit: number, saved: boolean) =>
  rowsOf(db, statement<VersionRow>(saved ? savedPage : page, [account_id, id, before, limit]));
const listed = `${versions} and given.revision < $3 and not given.unlisted`;
const page = `${listed} ${newestFirst} $4`;
const savedPage = `${listed} and saved.name is not null ${newestFirst} $4`;

export const findVersion = async (db: Db, { account_id, id }: ZoneKey, serial: number) =>
  (await rowsOf(db, statement<VersionRow>(withSerial, [account_id, id, serial])))[0];
const withSerial = `${versions} and given.serial = $3`;

/** The version that was current at a time. */
export const findVersionAt = async (db: Db, { account_id, id }: ZoneKey, at: number) =>
  (await rowsOf(db, statement<VersionRow>(atTime, [account_id, id, at])))[0];
const atTime = `${versions} and coalesce(history.at, 0) <= $3 ${newestFirst} 1`;

/** The oldest version that the history still has. */
export const findFirstVersion = async (db: Db, { account_id, id }: ZoneKey) =>
  (await rowsOf(db, statement<VersionRow>(first, [account_id, id])))[0];
const first = `${versions} order by given.revision limit 1`;

/** Whether a committed change of the zone has no serial yet. */
export const isUnnumbered = async (db: Db, { account_id, id }: ZoneKey): Promise<boolean> =>
  (await unnumberedZones(db, account_id)).has(id);

/** The ids of an account's zones with a committed change that has no serial yet. */
export async function unnumberedZones(db: Db, account_id: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("change")
    .select("zone_ids")
    .where("revision", "is", null)
    .where("account_id", "=", account_id)
    .execute();
  return new Set(rows.flatMap(({ zone_ids }) => zone_ids));
}

/** The entries that a change removed and added; each thing occurs at most once in each list. */
export interface ChangeRow {
  readonly change_id: string;
  readonly revision: number;
  readonly removed: readonly HistoryEntry[];
  readonly added: readonly HistoryEntry[];
}

const numbered = `
  from zone_serial as given
  join ${historyOfSerial}
  where given.account_id = $1 and given.zone_id = $2 and given.revision > $3 and given.revision <= $4`;
const octets = "octet_length(history.removed::text) + octet_length(history.added::text)";

/** A page of a zone's changes after one revision and up to another, in order; empty only when there are none. */
export const listChanges = (db: Db, { account_id, id }: ZoneKey, after: number, until: number) =>
  rowsOf(db, statement<ChangeRow>(changesBetween, [account_id, id, after, until, pageChanges, pageOctets]));
const pageChanges = 500;
/** Octets: a page ends with the change that reaches this number. */
const pageOctets = 4 * 1024 * 1024;
const changesBetween = `
  select change_id, revision, removed, added from (
    select page.*, sum(octets) over (order by revision) - octets as before from (
      select given.change_id, given.revision, history.removed, history.added, ${octets} as octets ${numbered}
      order by given.revision limit $5) as page) as page
  where before < $6 order by revision`;

/** Committed changes of a zone without a revision, in order. */
export const listUnnumbered = (db: Db, { account_id, id }: ZoneKey) =>
  rowsOf(db, statement<Omit<ChangeRow, "revision">>(waiting, [account_id, id]));
const unnumbered = `
  from change
  join zone_history as history on history.account_id = change.account_id and history.zone_id = $2
    and history.change_id = change.id
  where change.account_id = $1 and change.revision is null`;
const waiting = `select change.id as change_id, history.removed, history.added ${unnumbered} order by change.seq`;

/** Total octets of the changes that `listChanges` and `listUnnumbered` return. */
export async function sizeOfChanges(db: Db, { account_id, id }: ZoneKey, after: number, until: number) {
  const rows = await rowsOf(db, statement<{ octets: number }>(size, [account_id, id, after, until]));
  return rows.reduce((sum, { octets }) => sum + octets, 0);
}
const size = `
  select coalesce(sum(${octets}), 0)::float8 as octets ${numbered}
  union all select coalesce(sum(${octets}), 0)::float8 ${unnumbered}`;

export async function saveVersion(
  db: Db,
  { account_id, id: zone_id }: ZoneKey,
  saved: { readonly serial: number; readonly name: string; readonly now: number },
): Promise<void> {
  const { serial, name, now: created_at } = saved;
  await db
    .insertInto("saved_version")
    .values({ account_id, zone_id, serial, name, created_at })
    .onConflict((conflict) => conflict.columns(["account_id", "zone_id", "serial"]).doUpdateSet({ name }))
    .execute();
}

/** Serials of the saved versions, in the order in which they were saved. */
export async function listSaved(db: Db, { account_id, id }: ZoneKey): Promise<number[]> {
  const rows = await db
    .selectFrom("saved_version")
    .select("serial")
    .where("account_id", "=", account_id)
    .where("zone_id", "=", id)
    .orderBy("created_at")
    .orderBy("serial")
    .execute();
  return rows.map(({ serial }) => serial);
}

export async function unlistVersion(db: Db, { account_id, id }: ZoneKey, serial: number): Promise<void> {
  await db
    .updateTable("zone_serial")
    .set({ unlisted: true })
    .where("account_id", "=", account_id)
    .where("zone_id", "=", id)
    .where("serial", "=", serial)
    .execute();
}

export async function removeSaved(db: Db, { account_id, id }: ZoneKey, serial: number): Promise<void> {
  await db
    .deleteFrom("saved_version")
    .where("account_id", "=", account_id)
    .where("zone_id", "=", id)
    .where("serial", "=", serial)
    .execute();
}
