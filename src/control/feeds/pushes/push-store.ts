/** SQL of pushes. */

import type { FeedKey } from "../../../storage/outbox/live.ts";
import { type Db, rowsOf, statement } from "../../kit/store.ts";
import { isFull } from "../model/cells-store.ts";
import type { FeedRow } from "../model/store.ts";

/** The data of a source that a push needs. */
export interface PushedSource {
  readonly id: string;
  readonly sourcetype: string;
  readonly version: number;
  readonly feeds: readonly { readonly id: string; readonly label: string | null; readonly merges: boolean }[];
}

const bySource = "where source.account_id = $1 and source.id = $2";
const byFeed = `
  join feed as named on named.account_id = source.account_id and named.source_id = source.id
  where named.account_id = $1 and named.id = $2`;
const pushedText = (which: string) => `
  select source.id, source.sourcetype, source.version,
    (select coalesce(json_agg(json_build_object('id', feed.id, 'label', feed.label,
        'merges', coalesce(feed.config->>'merge', '0') in ('1', 'true')) order by feed.id), '[]'::json)
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

/** Locks feeds in the order in which `storePushed` locks them. */
export async function lockFeeds(db: Db, feeds: readonly FeedKey[]): Promise<void> {
  await db.executeQuery(statement(lockText, keysOf(feeds)));
}
const given = `
  from unnest($1::text[], $2::text[]) as given (account_id, id)
  join feed on feed.account_id = given.account_id and feed.id = given.id`;
const lockText = `select ${given} order by feed.account_id, feed.id for no key update of feed`;

/** The octets of the data of feeds, by feed id; feeds that are gone have none. */
export async function octetsOfData(db: Db, feeds: readonly FeedKey[]): Promise<ReadonlyMap<string, number>> {
  const rows = await rowsOf(db, statement<{ id: string; octets: number }>(octetsText, keysOf(feeds)));
  return new Map(rows.map(({ id, octets }) => [id, octets]));
}
const octetsText = `select feed.id, octet_length(feed.data::text) as octets ${given}`;

/** The data of feeds, by feed id. */
export async function dataOf(
  db: Db,
  feeds: readonly FeedKey[],
): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
  const rows = await rowsOf(db, statement<Pick<FeedRow, "id" | "data">>(dataText, keysOf(feeds)));
  return new Map(rows.map(({ id, data }) => [id, data]));
}
const dataText = `select feed.id, feed.data ${given}`;

const keysOf = (feeds: readonly FeedKey[]) => [
  feeds.map(({ account_id }) => account_id),
  feeds.map(({ feed_id }) => feed_id),
];

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

/** The feeds whose values were stored, and the accounts whose values were not, because their feeds would take too many cells. */
export interface Stored {
  readonly feeds: ReadonlySet<string>;
  readonly full: ReadonlySet<string>;
}

/**
 * Stores values of feeds whose sources still have the given version; other feeds are left unchanged and are not in the
 * result. The tables must not name a feed twice. When the feeds of an account would take more cells than it may have, and
 * more than before, none of the account's values are stored.
 */
export async function storePushed(db: Db, tables: readonly PushedTable[], at: number): Promise<Stored> {
  const rows = await rowsOf(
    db,
    statement<{ account_id: string; id: string | null }>(storeText, [
      tables.map((table) => table.account_id),
      tables.map((table) => table.source_id),
      tables.map((table) => table.version),
      tables.map((table) => table.feeds.join(" ")),
      tables.map((table) => table.text),
      at,
    ]),
  );
  return {
    feeds: new Set(rows.flatMap(({ id }) => id ?? [])),
    full: new Set(rows.flatMap(({ account_id, id }) => (id === null ? account_id : []))),
  };
}

// rows are locked in the order of their keys, so that two processes cannot block each other
const storeText = `
  with given as materialized (
    select given.account_id, named.id, given.text
    from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[])
      as given (account_id, source_id, version, ids, text)
    join source
      on source.account_id = given.account_id and source.id = given.source_id and source.version = given.version
    cross join lateral unnest(string_to_array(given.ids, ' ')) as named (id)
    order by given.account_id, named.id collate "C"),
  locked as materialized (
    select given.account_id, given.id, given.text, cells_of(given.text::json) + before.fallback - before.cells as growth
    from given cross join lateral (
      select cells_of(feed.fallback) as fallback, feed.cells from feed
      where feed.account_id = given.account_id and feed.id = given.id
      for no key update) as before),
  grown as materialized (
    select account_id, sum(growth) as cells from locked group by account_id having sum(growth) > 0),
  counted as materialized (
    select account_cells.account_id, account_cells.cells
    from grown join account_cells on account_cells.account_id = grown.account_id
    order by account_cells.account_id
    for update of account_cells),
  full_account as materialized (
    select grown.account_id from grown left join counted on counted.account_id = grown.account_id
    where ${isFull("grown.account_id", "coalesce(counted.cells, 0) + grown.cells", "grown.cells")}),
  stored as (
    update feed set data = locked.text::json, pushed_at = $6
    from locked
    where feed.account_id = locked.account_id and feed.id = locked.id
      and not exists (select from full_account where full_account.account_id = locked.account_id)
    returning feed.account_id, feed.id)
  select account_id, id from stored
  union all select account_id, null from full_account`;
