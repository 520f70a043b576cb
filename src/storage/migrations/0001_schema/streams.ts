/** The first schema: the streams to the edges with their revisions, reports of the edges, and the store's settings. */

/** Collated by octets, so that pages have the same order everywhere. */
const name = `text collate "C" not null`;

export const streamTables: readonly string[] = [
  "create sequence change_seq",
  `create table change (
     account_id ${name}, id ${name}, seq bigint not null default nextval('change_seq'), zone_ids json not null,
     body text not null, is_load boolean not null, created bigint not null, revision bigint, previous bigint,
     serials json, given json,
     primary key (account_id, id))`,
  // for the sequencer; small, because it contains only rows without a revision
  "create index change_unnumbered on change (seq) where revision is null",
  "create unique index change_revision on change (revision) where revision is not null",
  `create table change_load (
     id ${name} primary key, checksum text not null, body text not null, created bigint not null)`,
  `create table change_part (
     load_id ${name}, part integer not null, body bytea not null,
     primary key (load_id, part))`,
  // no compression, which would hardly make the octets smaller
  "alter table change_part alter column body set storage external",
  `create table live_change (
     revision bigint primary key, previous bigint not null, body text not null, created bigint not null)`,
  'create table deferred_feeds (id text collate "C" primary key, feeds text not null, created bigint not null)',
  `create table sequencer (subject ${name} primary key, revision bigint not null)`,
  "insert into sequencer (subject, revision) values ('configuration', 0), ('live', 0)",
  `create table follower (id ${name} primary key, revision bigint not null, seen_at bigint not null)`,
  `create table usage (
     account_id ${name}, span integer not null, zone ${name}, domain ${name}, type ${name}, at bigint not null,
     queries bigint not null,
     primary key (account_id, span, zone, domain, type, at))`,
  "create index usage_time on usage (span, at, account_id)",
  `create table usage_reporter (
     edge ${name}, boot ${name}, sequence bigint not null, seen_at bigint not null,
     primary key (edge, boot))`,
  `create table setting (name ${name} primary key, value text not null)`,
];
