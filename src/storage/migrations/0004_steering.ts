/** What a record does when no answer is up, and how much live data may remove. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

export const steering: Migration = {
  async up(db) {
    await sql.raw("alter table record add column all_down json, add column live_guard double precision").execute(db);
  },
};
