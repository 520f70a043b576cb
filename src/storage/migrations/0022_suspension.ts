/** Accounts that are suspended, and their zones that are not answered meanwhile. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const statements = [
  "alter table account add column suspended_at bigint",
  "alter table zone add column withheld boolean not null default false",
];

export const suspension: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
