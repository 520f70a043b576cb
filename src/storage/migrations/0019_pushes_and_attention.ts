/** The last pushes of sources and feeds, the names of the records that feeds steer, and what needs the attention of an account. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const name = `text collate "C" not null`;

const statements: readonly string[] = [
  `create table recent_push (
     account_id ${name}, source_id ${name}, id ${name}, pushes json not null,
     primary key (account_id, source_id, id),
     foreign key (account_id, source_id) references source)`,
  `alter table destination add column domain text collate "C", add column type text collate "C"`,
  `update destination set domain = record.domain, type = record.type from record
     where record.account_id = destination.account_id and record.zone_id = destination.zone_id
       and record.id = destination.record_id`,
  `create table attention (
     account_id ${name}, kind ${name}, thing ${name}, zone ${name}, name text not null, since bigint not null,
     severity integer not null, message text not null, detail json not null,
     primary key (account_id, kind, thing))`,
  `create table zone_lint (
     account_id ${name}, zone_id ${name}, serial bigint not null, checked_at bigint not null, took integer not null,
     primary key (account_id, zone_id))`,
];

export const pushesAndAttention: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
