/** SQL of feeds whose values are published to edges after the push. */
import { storeNow } from "../../../storage/lease.ts";
import { live } from "../../../sync/live.ts";
import { type Db, rowsOf, type Statement, statement, type Tx } from "../../kit/store.ts";
import type { FeedRow } from "../model/store.ts";

export interface FeedKey {
  readonly account_id: string;
  readonly feed_id: string;
}

/** Inserts a note that these feeds have not been published to edges yet, in the transaction that stores their values. */
export const insertNote = (id: string, feeds: readonly FeedKey[]): Statement =>
  statement(insertText, [id, JSON.stringify(feeds.map(({ account_id, feed_id }) => [account_id, feed_id]))]);

const insertText = `
  insert into deferred_feeds (id, feeds, created)
  values ($1, $2, (extract(epoch from clock_timestamp()) * 1000)::bigint)`;

export async function deleteNotes(db: Db, ids: readonly string[]): Promise<void> {
  await db.deleteFrom("deferred_feeds").where("id", "in", ids).execute();
}

const mostNotes = 100;

/** Notes that are older than `age` milliseconds, whose process may have ended. */
export async function listNotes(db: Db, age: number): Promise<{ id: string; feeds: FeedKey[] }[]> {
  const rows = await db
    .selectFrom("deferred_feeds")
    .select(["id", "feeds"])
    .where((eb) => eb("created", "<", eb(storeNow, "-", age)))
    .limit(mostNotes)
    .execute();
  return rows.map(({ id, feeds }) => ({ id, feeds: keysOf(feeds) }));
}

const keysOf = (feeds: string): FeedKey[] =>
  // written by `insertNote`
  (JSON.parse(feeds) as [string, string][]).map(([account_id, feed_id]) => ({ account_id, feed_id }));

/**
 * Prevents other processes from publishing feeds until the transaction ends: values that are read after the lock are not
 * older than those already published.
 */
export async function lockPublishing(tx: Tx): Promise<void> {
  await tx.selectFrom("sequencer").select("revision").where("subject", "=", live).forUpdate().execute();
}

/** Returns the values of the feeds that still exist. */
export const listFeedsAt = (db: Db, keys: readonly FeedKey[]): Promise<readonly FeedValues[]> =>
  rowsOf(
    db,
    statement<FeedValues>(feedsText, [keys.map(({ account_id }) => account_id), keys.map(({ feed_id }) => feed_id)]),
  );

type FeedValues = Pick<FeedRow, "account_id" | "id" | "data" | "pushed_at" | "max_age" | "fallback">;

const feedsText = `
  select feed.account_id, feed.id, data, pushed_at, max_age, fallback
  from unnest($1::text[], $2::text[]) as given (account_id, id)
  join feed on feed.account_id = given.account_id and feed.id = given.id`;
