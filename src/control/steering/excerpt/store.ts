/** SQL of excerpts: the zones, records and feeds at a few names, of any account. */

import type { FeedState } from "../../../answer/live/share.ts";
import type { RecordRow } from "../../../storage/tables/records.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { limits } from "../../kit/limits.ts";
import { type Db, dotSplits, isBelow, rowsOf, statement } from "../../kit/store.ts";
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

/** Returns a record below a name, if there is any. Passes over at most `limits.simulatedRecords`. */
export async function recordBelow(
  db: Db,
  { account_id, id }: ZoneRow,
  name: string,
  isPassedOver?: (row: RecordRow) => boolean,
): Promise<RecordRow | undefined> {
  const isShort = name.split(".").length <= 2;
  const text = isPassedOver ? (isShort ? manyBelowShortName : manyBelowName) : isShort ? belowShortName : belowName;
  const rows = await rowsOf(db, statement<{ record: RecordRow }>(text, [account_id, id, name]));
  return rows.find(({ record }) => isPassedOver?.(record) !== true)?.record;
}

/** Spelt like the key and the condition of the index `record_above`. */
const isIndexed = "domain like '%.%.%.%'";
const above = "reverse(substr(domain, strpos(domain, '.') + 1))";
const inZone = `select to_json(record) as record from record where account_id = $1 and zone_id = $2`;
// only this index has the order, which an equal sign would make unnecessary, so that no plan reads the whole zone
const first = `and ${dotSplits("domain", "$3::text")} and ${isIndexed} order by ${above}`;
const firstBelow = (count: number) => `
  (${inZone} and ${above} >= reverse($3) and ${above} <= reverse($3) ${first} limit ${count})
  union all
  (${inZone} and ${above} >= reverse($3) || '.' and ${above} < reverse($3) || '/' ${first} limit ${count})
  limit ${count}`;
/** Below a name of two labels, in a top-level zone. The whole zone may be read. */
const firstBelowShort = (count: number) => `${inZone} and ${isBelow("domain", "$3::text")} limit ${count}`;

const [belowName, belowShortName] = [firstBelow(1), firstBelowShort(1)];
// one more than a draft can delete
const many = limits.simulatedRecords + 1;
const [manyBelowName, manyBelowShortName] = [firstBelow(many), firstBelowShort(many)];

/** The current values of an account's feeds, by their ids. */
export async function findValues(db: Db, account_id: string, ids: readonly string[]): Promise<FeedState[]> {
  if (ids.length === 0) return [];
  const feeds = db.selectFrom("feed").selectAll().where("account_id", "=", account_id).where("id", "in", ids);
  return (await feeds.execute()).map((feed) => ({ ...feed, feed_id: feed.id, at: feed.pushed_at }));
}
