/** Which records are linked to a record: asked before it is deleted, and when it changes. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

export const recordLinks: Migration = {
  async up(db) {
    await sql`create index record_link on record (account_id, link, type, zone_id) where link is not null`.execute(db);
  },
};
