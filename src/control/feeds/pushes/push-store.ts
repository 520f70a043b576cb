/** SQL of pushes. */
import { type Db, rowsOf, statement } from "../../kit/store.ts";
import type { FeedRow } from "../model/store.ts";

/** The data of a source that a push needs. */
export interface PushedSource {
  readonly id: string;
  readonly sourcetype: string;
  readonly version: number;
  readonly feeds: readonly { readonly id: string; readonly label: string | null }[];
}

const bySource = "where source.account_id = $1 and source.id = $2";
const byFeed = `
  join feed as named on named.account_id = source.account_id and named.source_id = source.id
  where named.account_id = $1 and named.id = $2`;
const pushedText = (which: string) => `
  select source.id, source.sourcetype, source.version,
    (select coalesce(json_agg(json_build_object('id', feed.id, 'label', feed.label) order by feed.id), '[]'::json)
     from feed where feed.account_id = source.account_id and feed.source_id = source.id) as feeds
  from source ${which}`;
const pushedTexts = { source: pushedText(bySource), feed: pushedText(byFeed) };

/** Returns the source with this id, or the source of the feed with this id, and all its feeds at one moment. */
export async function findPushed(
  db: Db,
  account_id: string,
  kind: "source" | "feed",
  id: string,
): Promise<PushedSource | undefined> {
  const [found] = await rowsOf(db, statement<PushedSource>(pushedTexts[kind], [account_id, id]));
  return found;
}

/** The same new values for some feeds of a source. */
export interface PushedTable {
  readonly account_id: string;
  readonly source_id: string;
  /** The version of the source when its feeds were found. */
  readonly version: number;
  readonly feeds: readonly string[];
  /** JSON. */
  readonly text: string;
}

/** A feed whose values were stored. */
export type PushedFeed = Pick<FeedRow, "account_id" | "id" | "max_age" | "fallback">;

/**
 * Stores values of feeds whose sources still have the given version; other feeds are left unchanged and are not in the
 * result. The tables must not name a feed twice.
 */
export const storePushed = (db: Db, tables: readonly PushedTable[], at: number): Promise<readonly PushedFeed[]> =>
  rowsOf(
    db,
    statement<PushedFeed>(storeText, [
      tables.map((table) => table.account_id),
      tables.map((table) => table.source_id),
      tables.map((table) => table.version),
      tables.map((table) => table.feeds.join(" ")),
      tables.map((table) => table.text),
      at,
    ]),
  );

// rows are locked in the order of their keys, so that two processes cannot block each other
const storeText = `
  update feed set data = pushed.text::json, pushed_at = $6
  from (
    select given.account_id, named.id, given.text
    from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[])
      as given (account_id, source_id, version, ids, text)
    join source
      on source.account_id = given.account_id and source.id = given.source_id and source.version = given.version
    cross join lateral unnest(string_to_array(given.ids, ' ')) as named (id)
    order by given.account_id, named.id) as pushed
  where feed.account_id = pushed.account_id and feed.id = pushed.id
  returning feed.account_id, feed.id, feed.max_age, feed.fallback`;
