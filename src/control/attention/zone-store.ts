/** SQL of zones as the checks of attention see them. */
import { sql } from "kysely";
import { across } from "../../storage/fence/exceptions.ts";
import type { CatalogState, TransferState } from "../../storage/tables/transfers.ts";
import { type Db, rowsOf, statement } from "../kit/store.ts";

export interface CheckedZone {
  readonly id: string;
  readonly zone: string;
  readonly serial: number;
  /** Whether the zone is transferred from other servers. */
  readonly is_secondary: boolean;
  /** Whether its records are worth a look: they are the account's own, and are answered. */
  readonly is_own: boolean;
  readonly expired: boolean;
  /** Seconds from a successful refresh until the zone expires. */
  readonly expiry: number;
  readonly transfer: TransferState | null;
  readonly catalog_state: CatalogState | null;
  /** When it was looked through for mistakes; null for never. */
  readonly lint_serial: number | null;
  readonly lint_at: number | null;
  readonly lint_took: number | null;
}

const columns = `
  zone.id, zone.zone, zone.serial, zone.refresh_at is not null as is_secondary,
  zone.refresh_at is null and not zone.hidden and not zone.disabled as is_own, zone.expired, zone.expiry, zone.transfer,
  zone.catalog_state, zone_lint.serial as lint_serial, zone_lint.checked_at as lint_at, zone_lint.took as lint_took`;
const joined = `
  from zone left join zone_lint on zone_lint.account_id = zone.account_id and zone_lint.zone_id = zone.id
  where zone.account_id = $1`;

export const zonesAfter = (db: Db, account_id: string, after: string, limit: number): Promise<readonly CheckedZone[]> =>
  rowsOf(db, statement<CheckedZone>(afterText, [account_id, after, limit]));
const afterText = `select ${columns} ${joined} and zone.id > $2 order by zone.id limit $3`;

export const zonesWithIds = (db: Db, account_id: string, ids: readonly string[]): Promise<readonly CheckedZone[]> =>
  rowsOf(db, statement<CheckedZone>(idsText, [account_id, ids]));
const idsText = `select ${columns} ${joined} and zone.id = any($2::text[])`;

export async function saveLint(
  db: Db,
  account_id: string,
  row: { readonly zone_id: string; readonly serial: number; readonly checked_at: number; readonly took: number },
): Promise<void> {
  const { zone_id, ...state } = row;
  await db
    .insertInto("zone_lint")
    .values({ account_id, zone_id, ...state })
    .onConflict((conflict) => conflict.columns(["account_id", "zone_id"]).doUpdateSet(state))
    .execute();
}

/** Forgets when these zones were looked through. */
export async function forgetLint(db: Db, account_id: string, ids: readonly string[]): Promise<void> {
  const rows = db.deleteFrom("zone_lint").where("account_id", "=", account_id);
  await rows.where(sql<boolean>`zone_id = any(${ids}::text[])`).execute();
}

/** Forgets when zones that are gone were looked through: those with an id after one, and up to another or to the end. */
export async function forgetStrays(db: Db, account_id: string, after: string, last: string | undefined): Promise<void> {
  const gone = sql<boolean>`not exists (
    select from zone where zone.account_id = ${account_id} and zone.id = zone_lint.zone_id)`;
  const rows = db.deleteFrom("zone_lint").where("account_id", "=", account_id).where("zone_id", ">", after);
  await (last === undefined ? rows : rows.where("zone_id", "<=", last)).where(gone).execute();
}

/** The account after another one in the order of ids; undefined after the last. */
export async function accountAfter(db: Db, after: string): Promise<string | undefined> {
  const next = db.selectFrom("account").select("id").where("id", ">", after).orderBy("id").limit(1);
  return (await next.modifyEnd(across("schedule")).executeTakeFirst())?.id;
}
