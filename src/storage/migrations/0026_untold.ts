/** Which feeds edges are still to be told of, beside what they are told. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const statements = [
  `create table live_untold (
     id text collate "C" primary key, feeds text not null, created bigint not null)`,
];

export const untold: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
