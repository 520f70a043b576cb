/** SQL of the metadata that points to feeds. */
import { type Selectable, sql } from "kysely";
import type { DestinationTable } from "../../../storage/tables/feeds.ts";
import { inserted, type RowKind } from "../../kit/rows.ts";
import { type Db, statement } from "../../kit/store.ts";
import type { FeedRow } from "./store.ts";

export type DestinationRow = Selectable<DestinationTable>;

export interface DestinationsOf {
  readonly source_ids?: readonly string[];
  readonly feed_id?: string;
}

/** At most `count` destinations of the feeds of some sources, or of one feed. */
export function listDestinations(
  db: Db,
  account_id: string,
  of: DestinationsOf,
  count: number,
): Promise<DestinationRow[]> {
  let query = db.selectFrom("destination").selectAll("destination").where("destination.account_id", "=", account_id);
  if (of.feed_id !== undefined) query = query.where("feed_id", "=", of.feed_id);
  if (of.source_ids !== undefined) {
    const feeds = db
      .selectFrom("feed")
      .select("id")
      .where("account_id", "=", account_id)
      .where(sql<boolean>`source_id = any(${of.source_ids}::text[])`);
    query = query.where("feed_id", "in", feeds);
  }
  return query.orderBy("record_id").orderBy("desttype").orderBy("destid").limit(count).execute();
}

/**
 * Returns the given feeds that the account has, with their sources; they cannot be deleted until the transaction ends.
 * Outside of a transaction it only reads.
 */
export async function lockFeeds(
  db: Db,
  account_id: string,
  ids: readonly string[],
): Promise<Pick<FeedRow, "id" | "source_id">[]> {
  const feeds = db
    .selectFrom("feed")
    .select(["id", "source_id"])
    .where("account_id", "=", account_id)
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .orderBy("id");
  return await (db.isTransaction ? feeds.forKeyShare() : feeds).execute();
}

const destinationColumns = {
  account_id: "text",
  zone_id: "text",
  record_id: "text",
  desttype: "text",
  destid: "text",
  feed_id: "text",
  domain: "text",
  type: "text",
};

export const destinationsPut: RowKind<DestinationRow> = inserted(
  "destination",
  destinationColumns,
  "on conflict do nothing",
);

export const destinationsRemoved: RowKind<DestinationRow> = {
  write: (rows) => statement(removeText, [JSON.stringify(rows)]),
};
// the last comparison prevents the use of the index on feeds, because one feed may have very many destinations
const removeText = `
  delete from destination using json_to_recordset($1::json) as gone
    (account_id text, zone_id text, record_id text, desttype text, destid text, feed_id text)
  where destination.account_id = gone.account_id and destination.zone_id = gone.zone_id
    and destination.record_id = gone.record_id and destination.desttype = gone.desttype
    and destination.destid = gone.destid and destination.feed_id || '' = gone.feed_id`;
