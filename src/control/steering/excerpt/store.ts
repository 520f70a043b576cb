/** SQL of excerpts: the zones, records and feeds at a few names, of any account. */

import type { FeedState } from "../../../answer/live/share.ts";
import type { RecordRow } from "../../../storage/tables/records.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { type Db, rowsOf, statement } from "../../kit/store.ts";
import { defaultView } from "../../write/zone-lock.ts";
import { isVisible } from "../../zones/model/zone/store.ts";

/**
 * Zones with these names: the account's own, and those of others that are served, because aliases lead from one account's
 * zone into another's. A zone of another account that is not served is like none, so that it costs the same time.
 */
export const findServed = (db: Db, account_id: string, names: readonly string[]): Promise<ZoneRow[]> =>
  db
    .selectFrom("zone_claim")
    .innerJoin("zone", (join) =>
      join.onRef("zone.account_id", "=", "zone_claim.account_id").onRef("zone.id", "=", "zone_claim.zone_id"),
    )
    .selectAll("zone")
    .where("zone_claim.view", "=", defaultView)
    .where("zone_claim.fqdn", "in", [...names])
    .where(isVisible(account_id))
    .execute();

/** Returns a record below a name. When there is none, the search has read the whole zone. */
export async function recordBelow(db: Db, { account_id, id }: ZoneRow, name: string): Promise<RecordRow | undefined> {
  const pattern = `%.${name.replaceAll(/[\\%_]/g, "\\$&")}`;
  const rows = await rowsOf(db, statement<{ record: RecordRow }>(belowName, [account_id, id, pattern]));
  return rows[0]?.record;
}

const belowName = `
  select to_json(record) as record from record
  where account_id = $1 and zone_id = $2 and domain like $3 limit 1`;

/** The current values of an account's feeds, by their ids. */
export async function findValues(db: Db, account_id: string, ids: readonly string[]): Promise<FeedState[]> {
  if (ids.length === 0) return [];
  const feeds = db.selectFrom("feed").selectAll().where("account_id", "=", account_id).where("id", "in", ids);
  return (await feeds.execute()).map((feed) => ({ ...feed, feed_id: feed.id, at: feed.pushed_at }));
}
