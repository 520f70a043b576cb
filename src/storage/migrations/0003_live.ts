/** The stream of live values: batches of pushed values, numbered in the transaction that stores them. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const statements = [
  `create table live_change (
     revision bigint primary key, previous bigint not null, body text not null, created bigint not null)`,
  "insert into sequencer (subject, revision) values ('live', 0)",
];

export const live: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
