/** The zones whose queries somebody watches, and these queries. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const name = `text collate "C" not null`;

const statements: readonly string[] = [
  `create table tail_watch (account_id ${name}, zone ${name}, until bigint not null, primary key (account_id, zone))`,
  // a crash may lose queries that are kept for a minute
  `create unlogged table tail_query (
     account_id ${name}, zone ${name}, id bigint generated always as identity, at bigint not null, name ${name},
     type ${name}, rcode text collate "C", transport ${name}, client ${name},
     country text collate "C", asn bigint,
     primary key (account_id, zone, id))`,
  "create index tail_query_time on tail_query (at)",
];

export const tail: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
