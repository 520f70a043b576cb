/** Zones that were deleted and can be brought back: their records stay where they are. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const name = `text collate "C" not null`;

const statements = [
  `create table deleted_zone (
     account_id ${name}, id ${name}, zone ${name}, serial bigint not null, fields json not null,
     records bigint not null, deleted_at bigint not null, kept_until bigint not null, user_id text not null,
     user_name text not null, user_type text not null,
     primary key (account_id, id))`,
  "create index deleted_zone_name on deleted_zone (account_id, zone, id)",
  "create index deleted_zone_end on deleted_zone (kept_until)",
];

export const deleted: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
