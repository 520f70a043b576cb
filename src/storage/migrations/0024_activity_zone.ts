/** The zone that an entry of the activity log lies in, for keys that may see the entries of few. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const statements = [
  // read from the entries that are there while the table is written anew, once, and told with each entry from then on
  `alter table activity add column zone text collate "C" not null generated always as (
     case when resource_type in ('dns_zone', 'dns_zone_version', 'record', 'zonefile') then coalesce(resource->>'zone', '')
     else '' end) stored`,
  "alter table activity alter column zone drop expression, alter column zone set default ''",
  "create index activity_zone on activity (account_id, zone, timestamp, id)",
];

export const activityZone: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
