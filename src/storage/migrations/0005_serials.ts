/** Serials stand beside the history of zones, so that a row of it is written once and never again. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const name = `text collate "C" not null`;

const statements = [
  `create table zone_serial (
     account_id ${name}, zone_id ${name}, serial bigint not null, change_id ${name},
     primary key (account_id, zone_id, serial))`,
  `insert into zone_serial (account_id, zone_id, serial, change_id)
     select account_id, zone_id, serial, change_id from zone_history where serial is not null`,
  "drop index zone_history_serial",
  "alter table zone_history drop column serial",
];

export const serials: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
