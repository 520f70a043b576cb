/** What an operator sees: accounts of the operator, reports of edges and control processes, and the first user. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const statements: readonly string[] = [
  "alter table account add column operator boolean not null default false",
  "alter table follower add column about json",
  `create table control_process (
     id text collate "C" primary key, host text not null, version text not null, started bigint not null,
     seen_at bigint not null)`,
  // the first start makes account and user at the same time; another user of the same second would make it unclear
  `insert into setting (name, value)
     select 'first_user', min(account_user.id) from account_user
     join account on account.id = account_user.account_id and account.created = account_user.created
     where account.id = (select value from setting where name = 'first_account')
     having count(*) = 1`,
];

export const operator: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
