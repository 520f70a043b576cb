/** The outbox of the live values: what a transaction that stores pushed values leaves there last. */
import { CompiledQuery, type Kysely, sql, type Transaction } from "kysely";
import { composeValues, type LiveValue, live, liveChannel } from "../../sync/live.ts";
import { sendLast } from "../connection/transaction.ts";
import type { Tables } from "../tables/index.ts";

/** Seconds that a batch is kept: whoever was away for longer takes a baseline, which is cheap here. */
const keptFor = 60;

/**
 * The last statement of a transaction that changes feeds: draws the revision and stores the batch. The revision's row
 * stays locked until the transaction ends, so batches appear in the order of their revisions and writers should share
 * transactions. Only for `Store.transaction`; call `announceLive` when it has committed.
 */
export function publishLive(tx: Transaction<Tables>, values: readonly LiveValue[]): void {
  if (values.length > 0) sendLast(tx, liveBatch(values));
}

/** The same as a statement, for those who gather their last statements themselves. There is at least one value. */
export const liveBatch = (values: readonly LiveValue[]): CompiledQuery =>
  CompiledQuery.raw(insertBatch, [live, composeValues(values)]);

const insertBatch = `
  with drawn as (update sequencer set revision = revision + 1 where subject = $1 returning revision)
  insert into live_change (revision, previous, body, created)
  select revision, revision - 1, $2, extract(epoch from clock_timestamp())::bigint from drawn`;

/** Tells followers that there is a batch. Never fails: without it, they look by themselves a little later. */
export async function announceLive(db: Kysely<Tables>): Promise<void> {
  await sql
    .raw(`notify ${liveChannel}`)
    .execute(db)
    .catch(() => {});
}

/** Removes the batches of more than a minute ago. The values themselves stand in `feed`. */
export async function trimLive(db: Kysely<Tables>): Promise<void> {
  const last = db
    .selectFrom("live_change")
    .select("revision")
    .where("created", "<", sql<number>`extract(epoch from clock_timestamp())::bigint - ${sql.lit(keptFor)}`)
    .orderBy("revision", "desc")
    .limit(1);
  await db.deleteFrom("live_change").where("revision", "<=", last).execute();
}
