/** What entries of the activity log keep of the resource as it was. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

export const activityBefore: Migration = {
  async up(db) {
    await sql.raw("alter table activity add column before json").execute(db);
  },
};
