/** Which of the mails that wait hold links that let people in: they are taken back when an address changes, and no others. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const statements = [
  // of those that wait already nobody knows
  "alter table mail add column is_way_in boolean not null default true",
  "alter table mail alter column is_way_in drop default",
];

export const waysIn: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
