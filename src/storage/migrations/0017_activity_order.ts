/** The activity log in the order in which it is read, and what was done to one resource. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const statements = [
  "create index activity_order on activity (account_id, timestamp, id)",
  "create index activity_resource on activity (account_id, resource_id, timestamp, id)",
  "drop index activity_time",
];

export const activityOrder: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
