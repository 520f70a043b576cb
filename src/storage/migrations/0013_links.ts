/** Which zones are linked to a zone: asked before it is deleted. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

export const links: Migration = {
  async up(db) {
    await sql`create index zone_link on zone (account_id, link) where link is not null`.execute(db);
  },
};
