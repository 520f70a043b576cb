/** Marks of revisions, by which a follower sees whether the store's past is its own. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const mark = `mark text not null default ''`;
const both = `add column ${mark}, add column previous_${mark}`;

export const marks: Migration = {
  async up(db) {
    for (const table of ["sequencer", "change", "live_change"])
      await sql.raw(`alter table ${table} ${both}`).execute(db);
  },
};
