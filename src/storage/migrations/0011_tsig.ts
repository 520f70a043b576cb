/** Keys that sign DNS messages. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const name = `text collate "C" not null`;

export const tsig: Migration = {
  async up(db) {
    const statement = `create table tsig_key (
      account_id ${name} references account, name ${name}, algorithm text not null, secret text not null,
      created_at bigint not null, updated_at bigint not null,
      primary key (account_id, name))`;
    await sql.raw(statement).execute(db);
  },
};
