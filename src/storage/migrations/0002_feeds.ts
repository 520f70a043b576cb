/** Data sources, their feeds with the values pushed last, and the metadata that points to feeds. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Compared octet by octet, as in the first schema. */
const name = `text collate "C" not null`;

const statements = [
  `create table source (
     account_id ${name} references account, id ${name}, name text not null, sourcetype text not null,
     config json not null, status text not null, version bigint not null, created_at bigint not null,
     primary key (account_id, id))`,
  // half of each page is left free, so that a push rewrites its row in place
  `create table feed (
     account_id ${name}, id ${name}, source_id ${name}, name text not null, label text collate "C",
     config json not null, data json not null, pushed_at bigint, max_age bigint, fallback json,
     created_at bigint not null,
     primary key (account_id, id),
     foreign key (account_id, source_id) references source) with (fillfactor = 50)`,
  "create index feed_source on feed (account_id, source_id)",
  `create table destination (
     account_id ${name}, zone_id ${name}, record_id ${name}, desttype ${name}, destid ${name}, feed_id ${name},
     primary key (account_id, zone_id, record_id, desttype, destid, feed_id))`,
  "create index destination_feed on destination (account_id, feed_id)",
];

export const feeds: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
