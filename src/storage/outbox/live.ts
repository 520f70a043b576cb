/** The outbox of live values, written last in transactions that store pushed values. */
import { CompiledQuery, type Kysely, sql, type Transaction } from "kysely";
import { composeValues, type LiveValue, live, liveChannel } from "../../sync/live.ts";
import { sendLast } from "../connection/transaction.ts";
import type { Tables } from "../tables/index.ts";

/** Seconds for which a batch is kept. A follower that was away for longer takes a baseline, which is cheap here. */
const keptFor = 60;

/**
 * Sends the last statement of a transaction that changes feeds: it draws the revision and stores the batch. The row of
 * the revision stays locked until the transaction ends, so batches appear in order of their revisions, and writers
 * should share transactions. Only for `Store.transaction`; call `announceLive` after the commit.
 */
export function publishLive(tx: Transaction<Tables>, values: readonly LiveValue[]): void {
  if (values.length > 0) sendLast(tx, liveBatch(values));
}

/** Returns that statement, for callers that gather their last statements. `values` must not be empty. */
export const liveBatch = (values: readonly LiveValue[]): CompiledQuery =>
  CompiledQuery.raw(insertBatch, [live, composeValues(values)]);

const insertBatch = `
  with drawn as (update sequencer set revision = revision + 1 where subject = $1 returning revision)
  insert into live_change (revision, previous, body, created)
  select revision, revision - 1, $2, extract(epoch from clock_timestamp())::bigint from drawn`;

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
