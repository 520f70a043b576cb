/** SQL of delegations: what the parents of zones said, and which zones are due to be looked up. */
import type { Delegation } from "../../../net/client/delegation.ts";
import { acrossAccounts } from "../../../storage/fence/exceptions.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import type { RowKind } from "../../kit/rows.ts";
import { type Db, rowsOf, statement } from "../../kit/store.ts";
import type { DelegationState } from "./compare.ts";

export interface DelegationKey {
  readonly account_id: string;
  readonly zone_id: string;
}

/** What was found at the last look. */
export interface DelegationRow {
  /** Null before the first look. */
  readonly state: DelegationState | null;
  readonly looked_at: number | null;
  readonly asked: Delegation["asked"] | null;
  /** The servers that the parent names, each with its addresses; null if nobody could say. */
  readonly found: readonly (readonly [name: string, addresses: readonly string[]])[] | null;
}

/** Makes zones due; a zone may be among the rows twice. */
export const delegationsDue: RowKind<DelegationKey & { readonly due_at: number }> = {
  write: (rows) => statement(dueText, [JSON.stringify(rows)]),
};
const dueText = `
  insert into zone_delegation (account_id, zone_id, due_at)
  select account_id, zone_id, max(due_at)
  from json_to_recordset($1::json) as given (account_id text, zone_id text, due_at bigint)
  group by account_id, zone_id order by account_id, zone_id
  on conflict (account_id, zone_id) do update set due_at = excluded.due_at`;

export async function findDelegation(db: Db, { account_id, zone_id }: DelegationKey) {
  const [row] = await rowsOf(db, statement<DelegationRow & { readonly due_at: number }>(found, [account_id, zone_id]));
  return row;
}
const found =
  "select due_at, state, looked_at, asked, found from zone_delegation where account_id = $1 and zone_id = $2";

/** The states of zones, by the zone's id. */
export async function findStates(db: Db, account_id: string, ids: readonly string[]) {
  type Row = Pick<DelegationKey, "zone_id"> & Pick<DelegationRow, "state" | "looked_at">;
  const rows = await rowsOf(db, statement<Row>(statesText, [account_id, ids]));
  return new Map(rows.map((row) => [row.zone_id, row]));
}
const statesText = `
  select zone_id, state, looked_at from zone_delegation where account_id = $1 and zone_id = any($2::text[])`;

/**
 * Takes zones that are due: they are due again at `again`. Accounts take turns, so that one with many zones does not delay
 * others.
 */
export async function takeDue(db: Db, now: number, again: number, limit: number): Promise<readonly DelegationKey[]> {
  const due = await rowsOf(db, statement<DelegationKey>(listDue, [now, limit]));
  const [accounts, zones] = [due.map(({ account_id }) => account_id), due.map(({ zone_id }) => zone_id)];
  if (due.length === 0) return [];
  return await rowsOf(db, statement<DelegationKey>(take, [now, again, accounts, zones]));
}
const listDue = `
  select due.account_id, due.zone_id from account cross join lateral (
    select account_id, zone_id, due_at, row_number() over (order by due_at) as turn
    from zone_delegation where account_id = account.id and due_at <= $1 order by due_at limit $2) as due
  order by due.turn, due.due_at limit $2 ${acrossAccounts("schedule")}`;
// another process may have taken a zone, or a write may hold it
const take = `
  update zone_delegation as taken set due_at = $2 from (
    select zone_delegation.account_id, zone_delegation.zone_id
    from unnest($3::text[], $4::text[]) as given (account_id, zone_id)
    join zone_delegation using (account_id, zone_id)
    where due_at <= $1 for update of zone_delegation skip locked) as free
  where taken.account_id = free.account_id and taken.zone_id = free.zone_id
  returning taken.account_id, taken.zone_id ${acrossAccounts("schedule")}`;

/** Makes zones due that were taken, and not looked at. */
export async function leaveDue(db: Db, keys: readonly DelegationKey[], now: number): Promise<void> {
  await rowsOf(db, delegationsDue.write(keys.map((key) => ({ ...key, due_at: now }))));
}

/** Stores what was found. A zone that was made due during the look stays due; a zone that a write holds keeps its row. */
export async function putDelegation(
  db: Db,
  { account_id, zone_id }: DelegationKey,
  { state, looked_at, asked, found }: DelegationRow,
  due: { readonly before: number; readonly again: number },
): Promise<void> {
  const values = [state, looked_at, asked, found && JSON.stringify(found), due.before, due.again];
  await rowsOf(db, statement(put, [account_id, zone_id, ...values]));
}
const put = `
  update zone_delegation set state = $3, looked_at = $4, asked = $5, found = $6::json,
    due_at = case when due_at = $7 then $8 else due_at end
  where account_id = $1 and zone_id in (
    select zone_id from zone_delegation where account_id = $1 and zone_id = $2 for update skip locked)`;

/** Removes what is kept of a zone that is gone. */
export async function dropDelegation(db: Db, { account_id, zone_id }: DelegationKey): Promise<void> {
  await rowsOf(db, statement(drop, [account_id, zone_id]));
}
const drop = "delete from zone_delegation where account_id = $1 and zone_id = $2";

/** RDATA at a name of a zone, as the API writes them. */
export interface NamedRdata {
  readonly domain: string;
  readonly type: string;
  readonly link: string | null;
  readonly rdata: readonly (readonly (string | number)[])[] | null;
}

/** The RDATA of these types at these names, without the metadata of answers, which may be large. */
export const findRdata = (
  db: Db,
  { account_id, id }: Pick<ZoneRow, "account_id" | "id">,
  names: readonly string[],
  types: readonly string[],
): Promise<readonly NamedRdata[]> => rowsOf(db, statement<NamedRdata>(rdataText, [account_id, id, names, types]));
const rdataText = `
  select domain, type, link, (select json_agg(one->'answer') from json_array_elements(answers) as one) as rdata
  from record where account_id = $1 and zone_id = $2 and domain = any($3::text[]) and type = any($4::text[])`;
