/** Users as the API has them, and the mails that wait to be sent. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const name = `text collate "C" not null`;

const statements = [
  `alter table account_user add column teams json not null default '[]',
     add column ip_whitelist json not null default '[]', add column ip_whitelist_strict boolean not null default false,
     add column notify json not null default '{}', add column shared_auth json not null default '{}'`,
  `create table mail (
     account_id ${name} references account, id ${name}, recipient text not null, content text not null,
     resource_type text not null, resource_id ${name}, attempts integer not null, created bigint not null,
     next_try bigint not null,
     primary key (account_id, id))`,
  "create index mail_due on mail (next_try)",
  "create index mail_about on mail (account_id, resource_id)",
];

export const users: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
