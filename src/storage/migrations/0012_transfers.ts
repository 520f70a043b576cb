/** What zones that are transferred from other servers need: when to look next, what came of it, and serials of others. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const statements = [
  `alter table zone add column refresh_at bigint, add column transfer json, add column secondary_key text,
     add column expired boolean not null default false`,
  "create index zone_refresh on zone (refresh_at) where refresh_at is not null",
  `create index zone_outgoing on zone (account_id, id) where ("primary"->>'enabled') = 'true'`,
  "alter table change add column given json",
];

export const transfers: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
