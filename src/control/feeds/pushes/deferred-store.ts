/** SQL of feeds whose values are published to edges after the push. */
import { storeNow } from "../../../storage/lease.ts";
import type { FeedKey } from "../../../storage/outbox/live.ts";
import { type Db, type Statement, statement } from "../../kit/store.ts";

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
