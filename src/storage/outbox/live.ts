/** The outbox of live values, written last in transactions that store pushed values. */
import { CompiledQuery, type Kysely, sql, type Transaction } from "kysely";
import { newId } from "../../lib/ids.ts";
import { live, liveChannel, liveFormat } from "../../sync/live.ts";
import { namedData, namedFallback } from "../../sync/postgres/named.ts";
import { sendLast } from "../connection/transaction.ts";
import type { Tables } from "../tables/index.ts";

/** Seconds for which a batch is kept. A follower that was away for longer takes a baseline, which is cheap here. */
const keptFor = 60;

export interface FeedKey {
  readonly account_id: string;
  readonly feed_id: string;
}

/**
 * Sends the last statement of a transaction that changes feeds: it draws the revision and stores the feeds' values. The
 * transaction must have locked these feeds, or `lockLive`, before. The row of the revision stays locked until the
 * transaction ends, so batches appear in order of their revisions, and writers should share transactions. Only for
 * `Store.transaction`; call `announceLive` after the commit.
 */
export function publishLive(tx: Transaction<Tables>, feeds: readonly FeedKey[]): void {
  if (feeds.length > 0) sendLast(tx, liveBatch(feeds));
}

/** Returns that statement, for callers that gather their last statements. A feed that does not exist is gone. */
export const liveBatch = (feeds: readonly FeedKey[]): CompiledQuery =>
  CompiledQuery.raw(publishedText, [
    feeds.map(({ account_id }) => account_id),
    feeds.map(({ feed_id }) => feed_id),
    newId(),
  ]);

/**
 * Composes the end of a statement that publishes feeds, after its WITH: `from` yields rows of `given`, with account_id
 * and feed_id, and of `feed`; `mark` is the parameter with a new mark. Without rows, no revision is drawn.
 */
const batchText = (from: string, mark: string) => `
  news as materialized (
    select given.account_id, given.feed_id, case when feed.id is not null then ${namedData} end as data,
      feed.pushed_at as at, feed.max_age, ${namedFallback} as fallback
    from ${from}),
  drawn as (
    update sequencer set revision = revision + 1, mark = ${mark}, previous_mark = mark
    where subject = '${live}' and exists (select from news)
    returning revision, mark, previous_mark)
  insert into live_change (revision, previous, mark, previous_mark, body, created)
  select revision, revision - 1, mark, previous_mark,
    (select json_build_object('format', ${liveFormat}, 'values', json_agg(news order by feed_id))::text from news),
    extract(epoch from clock_timestamp())::bigint
  from drawn`;

const publishedText = `
  with given as (select * from unnest($1::text[], $2::text[]) as given (account_id, feed_id)),
  ${batchText(
    `given left join feed on feed.account_id = given.account_id and feed.id = given.feed_id
    where feed.id is null or feed.named <> '{}'`,
    "$3",
  )}`;

export interface NamedKey extends FeedKey {
  readonly key: string;
}

/**
 * Returns a statement that stores which keys records name, and publishes the feeds of which a key had not been named
 * before: edges get its last value together with the record.
 */
export const nameKeys = (keys: readonly NamedKey[]): CompiledQuery =>
  CompiledQuery.raw(namedText, [JSON.stringify(keys), newId()]);

const namedText = `
  with given as (
    select account_id, feed_id, array_agg(distinct key) as keys
    from json_to_recordset($1::json) as row (account_id text, feed_id text, key text)
    group by account_id, feed_id),
  locked as materialized (
    select feed.account_id, feed.id, given.keys
    from given join feed on feed.account_id = given.account_id and feed.id = given.feed_id
    where not given.keys <@ feed.named
    order by feed.account_id, feed.id
    for no key update of feed),
  changed as (
    update feed set named = array(select distinct unnest(feed.named || locked.keys) order by 1)
    from locked where feed.account_id = locked.account_id and feed.id = locked.id
    returning feed.*),
  ${batchText("changed as feed cross join lateral (select feed.account_id, feed.id as feed_id) as given", "$2")}`;

/**
 * Prevents other processes from publishing feeds until the transaction ends: values that are read after the lock are not
 * older than those already published.
 */
export async function lockLive(tx: Transaction<Tables>): Promise<void> {
  await tx.selectFrom("sequencer").select("revision").where("subject", "=", live).forUpdate().execute();
}

/** Notifies followers of a batch. Never fails: otherwise they find the batch at their next poll. */
export async function announceLive(db: Kysely<Tables>): Promise<void> {
  await sql
    .raw(`notify ${liveChannel}`)
    .execute(db)
    .catch(() => {});
}

/** Removes batches older than a minute. The values themselves are in `feed`. */
export async function trimLive(db: Kysely<Tables>): Promise<void> {
  await sql`
    delete from live_change where revision <= (
      select revision from live_change
      where created < extract(epoch from clock_timestamp())::bigint - ${sql.lit(keptFor)}
      order by revision desc limit 1)`.execute(db);
}
