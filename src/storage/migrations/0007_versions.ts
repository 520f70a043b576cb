/** Versions of zones: their order, who made them, and those that somebody saved under a name. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const name = `text collate "C" not null`;

const statements = [
  "alter table zone_serial add column revision bigint",
  `update zone_serial set revision = change.revision from change
     where change.account_id = zone_serial.account_id and change.id = zone_serial.change_id`,
  // changes that are not known any more came before all others: below 0, in the order of the serials
  "update zone_serial set revision = serial - 8589934592 where revision is null",
  "alter table zone_serial alter column revision set not null",
  "create index zone_serial_revision on zone_serial (account_id, zone_id, revision)",
  `alter table zone_history add column user_id text, add column user_name text, add column user_type text,
     add column action text, add column restored bigint`,
  "create index zone_history_at on zone_history (at)",
  `create table saved_version (
     account_id ${name}, zone_id ${name}, serial bigint not null, name text not null, created_at bigint not null,
     primary key (account_id, zone_id, serial))`,
];

export const versions: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
