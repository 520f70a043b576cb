/** SQL of the last pushes of sources and feeds. */
import type { PushNote } from "../../../storage/tables/feeds.ts";
import { type Db, rowsOf, statement } from "../../kit/store.ts";

/** The pushes that are kept of a source, and of a feed. */
export const mostKept = 20;

/** A source, or a feed of it. */
export interface PushPlace {
  readonly account_id: string;
  readonly source_id: string;
  /** The id of the source or of the feed. */
  readonly id: string;
}

export interface NewPushes extends PushPlace {
  /** JSON: an array of notes, newest first. */
  readonly pushes: string;
}

/** Adds pushes to those that are kept, of which the oldest are dropped. Leaves out sources and feeds that are gone. */
export async function addPushes(db: Db, rows: readonly NewPushes[]): Promise<void> {
  const columns = (["account_id", "source_id", "id", "pushes"] as const).map((name) => rows.map((row) => row[name]));
  await rowsOf(db, statement(addText, columns));
}
// rows are locked in the order of their keys, so that two processes cannot block each other
const addText = `
  insert into recent_push (account_id, source_id, id, pushes)
  select given.account_id, given.source_id, given.id, given.pushes::json
  from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as given (account_id, source_id, id, pushes)
  join source on source.account_id = given.account_id and source.id = given.source_id
  where given.id = given.source_id
    or exists (select from feed where feed.account_id = given.account_id and feed.id = given.id)
  order by given.account_id collate "C", given.source_id collate "C", given.id collate "C"
  on conflict (account_id, source_id, id) do update set pushes = (
    select json_agg(push order by age, place) from (
      select push, 0 as age, place from json_array_elements(excluded.pushes) with ordinality as new (push, place)
      union all
      select push, 1, place from json_array_elements(recent_push.pushes) with ordinality as old (push, place)
      order by 2, 3 limit ${mostKept}) as kept)`;

export async function findPushes(db: Db, { account_id, source_id, id }: PushPlace): Promise<readonly PushNote[]> {
  const row = await db
    .selectFrom("recent_push")
    .select("pushes")
    .where("account_id", "=", account_id)
    .where("source_id", "=", source_id)
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.pushes ?? [];
}
