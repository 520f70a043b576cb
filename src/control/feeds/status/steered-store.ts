/** SQL of the records that a feed steers. */
import { type Db, rowsOf, statement } from "../../kit/store.ts";
import type { SteeredRecord } from "./schema.ts";

/** A record with metadata that takes values from a feed; without zone if it is gone. */
export type SteeredRow = Omit<SteeredRecord, "zone"> & { readonly zone: string | null };

export type SteeredCursor = Pick<SteeredRow, "domain" | "type" | "id">;

/** At most `limit` records that a feed steers, after one of them, by name and type. */
export const listSteered = (
  db: Db,
  account_id: string,
  feed_id: string,
  { domain, type, id }: SteeredCursor,
  limit: number,
): Promise<readonly SteeredRow[]> =>
  rowsOf(db, statement<SteeredRow>(steeredText, [account_id, feed_id, domain, type, id, limit]));

/** SQL: the keys of metadata that take their value from the feed; null if there are none. */
const keysOf = (meta: string) => `(
  select json_agg(key) from json_each(case json_typeof(${meta}) when 'object' then ${meta} else '{}' end) as field
  where case json_typeof(field.value) when 'object' then field.value ->> 'feed' = $2 end)`;
const listed = (items: string) =>
  `coalesce((select json_agg(item) from (${items}) as item where item.keys is not null), '[]')`;
const answers = `
  select element -> 'id' as id, element -> 'answer' as answer, ${keysOf("element -> 'meta'")} as keys
  from json_array_elements(record.answers) as element`;
const regions = `
  select region.key as name, ${keysOf("region.value -> 'meta'")} as keys from json_each(record.regions) as region`;
const steeredText = `
  with page as materialized (
    select zone_id, domain, type, record_id from destination
    where account_id = $1 and feed_id = $2 and domain is not null and (domain, type, record_id) > ($3, $4, $5)
    group by zone_id, domain, type, record_id order by domain, type, record_id limit $6)
  select zone.zone, page.domain, page.type, page.record_id as id,
    coalesce(${keysOf("record.meta")}, '[]') as keys, ${listed(answers)} as answers, ${listed(regions)} as regions
  from page
  left join record on record.account_id = $1 and record.zone_id = page.zone_id and record.domain = page.domain
    and record.type = page.type and record.id = page.record_id
  left join zone on zone.account_id = $1 and zone.id = record.zone_id
  order by page.domain, page.type, page.record_id`;
