/** Edges report how far they have compared their zones with the store. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

export const comparisons: Migration = {
  async up(db) {
    await sql`alter table follower add column comparison json`.execute(db);
  },
};
