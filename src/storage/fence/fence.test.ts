/** The statements that the fence between accounts accepts and refuses. */
import { describe, expect, test } from "vitest";
import { unrestrictedTable } from "./fence.ts";

describe("accepted: restricted to one account, with a stated reason, or without rows of accounts", () => {
  for (const text of [
    `select * from "zone" where "account_id" = $1 and "id" = $2`,
    `select * from "zone" where ("account_id" = $1 and ("id" = $2 or "zone" = $3))`,
    "select zone.id from zone left join record on record.account_id = zone.account_id where zone.account_id = $1",
    "select 1 from record join zone on zone.account_id = record.account_id and zone.id = record.zone_id where zone.account_id = $1",
    "select account_id from record join zone using (account_id, zone_id) where record.account_id = $1",
    "select * from zone, unnest($1::text[]) as given (account_id, id) where zone.account_id = given.account_id",
    "select * from zone where (account_id, id) in (select account_id, id from zone where account_id = $1 limit 5)",
    "delete from record where ctid = any(array(select ctid from record where account_id = $1 limit 5))",
    "select * from account where id = $1",
    "select (select json_agg(id) from feed where feed.account_id = source.account_id) from source where account_id = $1",
    "select * from key_claim join api_key on api_key.account_id = key_claim.account_id and api_key.id = key_claim.key_id where hash = $1",
    "select * from user_session where hash = $1",
    `insert into "zone" ("account_id", "id") values ($1, $2) on conflict do nothing`,
    "insert into owner (account_id, zone_id) select zone.account_id, zone.id from zone where zone.account_id = $1 on conflict (account_id) do update set domain = excluded.domain where false",
    "update zone set ttl = $1 where account_id = $2 and transfer is distinct from $3",
    "with gone as (delete from record where account_id = $1 returning account_id) delete from owner using gone where owner.account_id = gone.account_id",
    "select 1 from zone where account_id = $1 union all select 2 from deleted_zone where account_id = $1",
    "select * from sequencer, lease where subject = $1 for update of sequencer",
    "select * from zone /* across accounts: age */ where created_at < $1",
    "set local lock_timeout = 5",
    "notify fairlead_changes",
  ]) {
    test(text, () => expect(unrestrictedTable(text)).toBeUndefined());
  }
});

describe("refused: sees rows of other accounts", () => {
  for (const [text, table] of [
    ["select * from zone", "zone"],
    [`select * from "zone" where "id" = $1`, "zone"],
    ["select * from zone where account_id = $1 or id = $2", "zone"],
    ["select * from zone where (account_id = $1 or disabled) and id = $2", "zone"],
    ["select * from zone where not account_id = $1", "zone"],
    ["select * from zone where account_id = id", "zone"],
    ["select * from zone where account_id <> $1", "zone"],
    ["select * from zone join record on record.zone_id = zone.id where zone.account_id = $1", "record"],
    ["select * from zone left join record on zone.account_id = $1 and record.account_id = $1", "zone"],
    ["select * from zone full join record on zone.account_id = $1 and record.account_id = $1", "zone"],
    ["select * from zone join record on record.account_id = zone.account_id", "zone"],
    ["select * from record where account_id = $1 and zone_id in (select id from zone where zone = $2)", "zone"],
    ["select * from record where account_id = $1 and exists (select from zone as z where z.id = zone_id)", "zone"],
    ["select (select count(*) from feed) from source where account_id = $1", "feed"],
    ["select * from account where name = $1", "account"],
    ["select * from zone, lease where lease.account_id = $1", "zone"],
    ["select * from api_key join key_claim on key_claim.account_id = api_key.account_id", "api_key"],
    ["insert into zone (id) values ($1)", "zone"],
    ["insert into owner (account_id, zone_id) select account_id, id from zone where id = $1", "zone"],
    ["update zone set account_id = $1 where id = $2", "zone"],
    [`delete from "record" where "zone_id" = $1`, "record"],
    ["with gone as (delete from record where zone_id = $1 returning id) select * from gone", "record"],
    ["select 1 from zone where account_id = $1 union all select 2 from deleted_zone", "deleted_zone"],
    ["select 1 from zone where account_id = $1 /* across accounts: because */ or true", "zone"],
    ["truncate zone", "zone"],
  ] as const) {
    test(text, () => expect(unrestrictedTable(text)).toBe(table));
  }
});
