/** Queries by type, RCODE and transport, queries for names that do not exist, and queries by day. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const name = `text collate "C" not null`;

const statements: readonly string[] = [
  `create table usage_mix (
     account_id ${name}, span integer not null, zone ${name}, type ${name}, rcode ${name}, transport ${name},
     at bigint not null, queries bigint not null,
     primary key (account_id, span, zone, type, rcode, transport, at))`,
  "create index usage_mix_time on usage_mix (span, at)",
  `create table usage_missing (
     account_id ${name}, zone ${name}, at bigint not null, domain ${name}, queries bigint not null,
     primary key (account_id, zone, at, domain))`,
  "create index usage_missing_time on usage_missing (at)",
  `insert into usage (account_id, span, zone, domain, type, at, queries)
     select account_id, 86400, zone, domain, type, at - at % 86400, sum(queries) from usage where span = 3600
     group by account_id, zone, domain, type, at - at % 86400`,
];

export const usageMix: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
