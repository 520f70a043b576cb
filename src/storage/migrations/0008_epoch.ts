/** The epoch of the store: it ends when the store is put back to an earlier moment. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const statements: readonly string[] = [
  // empty where the server does not tell: then a promotion goes unnoticed
  `create function current_timeline() returns text language plpgsql stable as $$ begin
     return left(pg_walfile_name(pg_current_wal_lsn()), 8);
   exception when others then
     return '';
   end $$`,
  // what xmin shows of a row that this transaction writes
  `create function current_writer() returns text language sql volatile as $$
     select (pg_current_xact_id()::text::numeric % 4294967296)::text $$`,
  `create table epoch (
     number integer primary key, writer text not null, timeline text not null, moved_account text, moved_zone text)`,
  "insert into epoch (number, writer, timeline) values (0, current_writer(), current_timeline())",
  "create function current_epoch() returns integer language sql stable as $$ select number from epoch $$",
  "alter table zone add column epoch integer not null default 0",
  "alter table zone alter column epoch set default current_epoch()",
];

export const epoch: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
