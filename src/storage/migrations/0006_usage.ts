/** What was asked of zones and records, added up by the minute and by the hour, and which reports of edges are in it. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const name = `text collate "C" not null`;

const statements = [
  `create table usage (
     account_id ${name}, span integer not null, zone ${name}, domain ${name}, type ${name}, at bigint not null,
     queries bigint not null,
     primary key (account_id, span, zone, domain, type, at))`,
  "create index usage_time on usage (span, at, account_id)",
  `create table usage_reporter (
     edge ${name}, boot ${name}, sequence bigint not null, seen_at bigint not null,
     primary key (edge, boot))`,
];

export const usage: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
