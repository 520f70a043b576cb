/** What entries of the activity log keep of the resource as it was, and the log in its order for each way to filter it. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const statements = [
  "alter table activity add column before json",
  ...["resource_type", "user_id", "user_name"].map(
    (column) => `create index activity_${column} on activity (account_id, ${column}, timestamp, id)`,
  ),
];

export const activityBefore: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
