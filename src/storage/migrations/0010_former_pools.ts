/** Zones know the pools of the networks that they have left. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

export const formerPools: Migration = {
  async up(db) {
    await sql`alter table zone add column former_pools json not null default '{}'`.execute(db);
  },
};
