/** What an account says of itself, when it wants to be warned, and from where its keys may be used. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const name = `text collate "C" not null`;

const statements = [
  `alter table account add column contact json not null default '{}',
     add column usage_warnings json not null default '{}'`,
  `create table allow_list (
     account_id ${name} references account, id ${name}, name text not null, "values" json not null,
     primary key (account_id, id))`,
];

export const account: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
