/** SQL of what needs attention. */
import { type Selectable, sql } from "kysely";
import type { AttentionTable } from "../../storage/tables/attention.ts";
import { type Db, rowsOf, statement } from "../kit/store.ts";
import { type Item, type Kind, severities } from "./item.ts";

export type AttentionRow = Selectable<AttentionTable>;

/** The items of some kinds; with `things`, only those of these things. */
export interface Extent {
  readonly kinds: readonly Kind[];
  readonly things?: readonly string[];
}

const within = (db: Db, account_id: string, { kinds, things }: Extent) => {
  const rows = db.selectFrom("attention").selectAll().where("account_id", "=", account_id).where("kind", "in", kinds);
  return things === undefined ? rows : rows.where(sql<boolean>`thing = any(${things}::text[])`);
};

/** Makes `items` all that there is within an extent. An item that was there keeps its time. */
export async function replaceItems(
  db: Db,
  account_id: string,
  extent: Extent,
  items: readonly Item[],
  now: number,
): Promise<void> {
  const before = new Map((await within(db, account_id, extent).execute()).map((row) => [keyOf(row), row]));
  const rows = items.map((item) => rowOf(account_id, item, item.since ?? before.get(keyOf(item))?.since ?? now));
  const wanted = new Set(rows.map(keyOf));
  const gone = [...before.values()].filter((row) => !wanted.has(keyOf(row)));
  const changed = rows.filter((row) => !isSame(row, before.get(keyOf(row))));
  if (gone.length > 0) await rowsOf(db, statement(removeText, [account_id, gone.map(kindOf), gone.map(thingOf)]));
  if (changed.length > 0) await rowsOf(db, statement(putText, [account_id, JSON.stringify(changed)]));
}

const kindOf = ({ kind }: AttentionRow) => kind;
const thingOf = ({ thing }: AttentionRow) => thing;
const keyOf = ({ kind, thing }: Pick<AttentionRow, "kind" | "thing">) => `${kind} ${thing}`;

const rowOf = (account_id: string, { severity, ...item }: Item, since: number): AttentionRow => ({
  ...{ account_id, ...item, since },
  severity: severities.indexOf(severity),
});

const textOf = ({ zone, name, since, severity, message, detail }: AttentionRow) =>
  JSON.stringify([zone, name, since, severity, message, detail]);
const isSame = (row: AttentionRow, before: AttentionRow | undefined) =>
  before !== undefined && textOf(row) === textOf(before);

const removeText = `
  delete from attention using unnest($2::text[], $3::text[]) as gone (kind, thing)
  where attention.account_id = $1 and attention.kind = gone.kind and attention.thing = gone.thing`;
// rows are locked in the order of their keys, so that two processes cannot block each other
const putText = `
  insert into attention (account_id, kind, thing, zone, name, since, severity, message, detail)
  select $1, kind, thing, zone, name, since, severity, message, detail
  from json_to_recordset($2::json) as given
    (kind text, thing text, zone text, name text, since bigint, severity integer, message text, detail json)
  order by kind collate "C", thing collate "C"
  on conflict (account_id, kind, thing) do update set zone = excluded.zone, name = excluded.name, since = excluded.since,
    severity = excluded.severity, message = excluded.message, detail = excluded.detail`;

/** Removes items about zones that are gone. */
export async function removeStrays(db: Db, account_id: string): Promise<void> {
  const gone = sql<boolean>`not exists (
    select from zone where zone.account_id = ${account_id} and zone.id = attention.thing)`;
  const items = db.deleteFrom("attention").where("account_id", "=", account_id).where("zone", "<>", "");
  await items.where(gone).execute();
}

/** A position in the listing: the worst first, then the newest. */
export type AttentionPlace = Pick<AttentionRow, "severity" | "since" | "kind" | "thing">;

/** At most `count` items of an account after a place. */
export const listItems = (
  db: Db,
  account_id: string,
  kinds: readonly Kind[],
  after: AttentionPlace | undefined,
  count: number,
): Promise<AttentionRow[]> =>
  db
    .selectFrom("attention")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("kind", "in", kinds)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(severity, -since, kind, thing) > (${after?.severity}, ${-(after?.since ?? 0)}, ${after?.kind}, ${after?.thing})`,
      ),
    )
    .orderBy("severity")
    .orderBy("since", "desc")
    .orderBy("kind")
    .orderBy("thing")
    .limit(count)
    .execute();
