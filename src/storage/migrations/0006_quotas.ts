/** Limits of accounts for zones and records. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The first account, which is the operator's own, has no limits. */
export const quotas: Migration = {
  async up(db) {
    await sql`alter table account add column quota json`.execute(db);
    await sql`
      update account set quota = '{"zones":null,"records":null,"octets":null}'
      where id = (select id from account order by created, id limit 1)`.execute(db);
  },
};
