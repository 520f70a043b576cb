/** Deleted zones are found by account and age, so that what an account keeps of them has a limit. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

export const deletedByAge: Migration = {
  async up(db) {
    await sql`create index deleted_zone_age on deleted_zone (account_id, deleted_at)`.execute(db);
  },
};
