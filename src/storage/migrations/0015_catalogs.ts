/** Catalog zones: what a zone is to one, whose members are whose, and which are to be followed. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const statements = [
  `alter table zone add column catalog json, add column catalog_id text, add column catalog_state json,
     add column follow_at bigint, add column hidden boolean not null default false`,
  "create index zone_catalog on zone (account_id, catalog_id) where catalog_id is not null",
  "create index zone_hidden on zone (account_id, id) where hidden",
];

export const catalogs: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
