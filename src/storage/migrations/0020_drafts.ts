/** Users have drafts of change sets and saved views, and an import job tells what it imports. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Collated by octets, so that pages have the same order everywhere. */
const name = `text collate "C" not null`;

const statements: readonly string[] = [
  `create table draft (
     account_id ${name}, user_id ${name}, id ${name}, name text not null, zones json not null, writes integer not null,
     octets bigint not null, content text not null, created_at bigint not null, updated_at bigint not null,
     primary key (account_id, id),
     foreign key (account_id, user_id) references account_user)`,
  "create index draft_user on draft (account_id, user_id, id)",
  "create index draft_updated on draft (updated_at)",
  `create table saved_view (
     account_id ${name}, user_id ${name}, id ${name}, name text not null, page text not null, settings json not null,
     created_at bigint not null, updated_at bigint not null,
     primary key (account_id, id),
     foreign key (account_id, user_id) references account_user)`,
  "create index saved_view_user on saved_view (account_id, user_id, id)",
  "alter table import_job add column type text not null default 'importzonefile'",
];

export const drafts: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
