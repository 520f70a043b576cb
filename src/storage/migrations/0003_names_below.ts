/** Finds the names below a name by an index. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * The key is the name above the owner name, reversed, so that all names below a name have keys that begin alike. Only
 * names with three dots are in the index: those below a name of a zone with two labels, which large zones mostly are.
 * Their own names cost a large load nothing.
 */
export const namesBelow: Migration = {
  async up(db) {
    await sql`
      create index record_above on record
        (account_id, zone_id, reverse(substr(domain, strpos(domain, '.') + 1))) where domain like '%.%.%.%'`.execute(
      db,
    );
  },
};
