/** The first schema: zones and records with their history, loads and imports, feeds, and TSIG keys. */

/** Collated by octets, so that pages have the same order everywhere. */
const name = `text collate "C" not null`;
const json = "json not null";

const zones = [
  `create table zone_claim (
     view ${name}, fqdn ${name}, registrable ${name}, account_id ${name}, zone_id ${name},
     primary key (view, fqdn))`,
  "create index zone_claim_registrable on zone_claim (registrable)",
  `create table domain_claim (domain ${name} primary key)`,
  `create table zone (
     account_id ${name} references account, id ${name}, zone ${name}, view ${name}, ttl bigint not null,
     refresh bigint not null, retry bigint not null, expiry bigint not null, nx_ttl bigint not null,
     hostmaster text not null, primary_master text not null, serial bigint not null, networks ${json},
     dns_servers ${json}, network_pools ${json}, pool text, link text, dnssec boolean not null,
     disabled boolean not null, meta ${json}, "primary" ${json}, secondary json, tags ${json}, local_tags ${json},
     created_at bigint not null, updated_at bigint not null, refresh_at bigint, transfer json, secondary_key text,
     expired boolean not null default false, catalog json, catalog_id text, catalog_state json, follow_at bigint,
     hidden boolean not null default false, withheld boolean not null default false,
     primary key (account_id, id))`,
  "create unique index zone_name on zone (account_id, zone, view)",
  "create index zone_refresh on zone (refresh_at) where refresh_at is not null",
  `create index zone_outgoing on zone (account_id, id) where ("primary"->>'enabled') = 'true'`,
  "create index zone_link on zone (account_id, link) where link is not null",
  "create index zone_catalog on zone (account_id, catalog_id) where catalog_id is not null",
  "create index zone_hidden on zone (account_id, id) where hidden",
  `create table deleted_zone (
     account_id ${name}, id ${name}, zone ${name}, serial bigint not null, fields ${json}, records bigint not null,
     deleted_at bigint not null, kept_until bigint not null, user_id text not null, user_name text not null,
     user_type text not null,
     primary key (account_id, id))`,
  "create index deleted_zone_name on deleted_zone (account_id, zone, id)",
  "create index deleted_zone_end on deleted_zone (kept_until)",
  `create table tsig_key (
     account_id ${name} references account, name ${name}, algorithm text not null, secret text not null,
     created_at bigint not null, updated_at bigint not null,
     primary key (account_id, name))`,
];

const records = [
  `create table owner (
     account_id ${name}, zone_id ${name}, domain ${name},
     primary key (account_id, zone_id, domain))`,
  // loads of whole zones omit the columns with defaults
  `create table record (
     account_id ${name}, zone_id ${name}, domain ${name}, type ${name}, id ${name}, ttl bigint not null,
     tier integer not null default 1, link text, use_client_subnet boolean not null default true,
     override_ttl boolean not null default false, override_address_records boolean not null default false,
     answers ${json}, filters ${json} default '[]', regions ${json} default '{}', meta ${json} default '{}',
     feeds ${json} default '[]', tags ${json} default '{}', local_tags ${json} default '[]',
     blocked_tags ${json} default '[]', created_at bigint not null, updated_at bigint not null, all_down json,
     live_guard double precision,
     primary key (account_id, zone_id, domain, type))`,
  "create index record_link on record (account_id, link, type, zone_id) where link is not null",
];

const history = [
  `create table zone_history (
     account_id ${name}, zone_id ${name}, change_id ${name}, at bigint not null, removed ${json}, added ${json},
     user_id text, user_name text, user_type text, action text, restored bigint,
     primary key (account_id, zone_id, change_id))`,
  "create index zone_history_at on zone_history (at)",
  `create table zone_serial (
     account_id ${name}, zone_id ${name}, serial bigint not null, change_id ${name}, revision bigint not null,
     primary key (account_id, zone_id, serial))`,
  "create index zone_serial_revision on zone_serial (account_id, zone_id, revision)",
  `create table saved_version (
     account_id ${name}, zone_id ${name}, serial bigint not null, name text not null, created_at bigint not null,
     primary key (account_id, zone_id, serial))`,
];

const loads = [
  `create table zone_load (
     account_id ${name}, id ${name}, zone_id ${name}, holder ${name},
     primary key (account_id, id))`,
  "create index zone_load_zone on zone_load (zone_id)",
  `create table import_job (
     account_id ${name}, id ${name}, zone ${name}, sent bigint not null, percent integer not null,
     status text not null, holder ${name}, response_code integer, response json,
     primary key (account_id, id))`,
  "create index import_job_unfinished on import_job (holder) where response_code is null",
];

const feeds = [
  `create table source (
     account_id ${name} references account, id ${name}, name text not null, sourcetype text not null, config ${json},
     status text not null, version bigint not null, created_at bigint not null,
     primary key (account_id, id))`,
  // half of each page stays free, so that a push updates its row on the same page
  `create table feed (
     account_id ${name}, id ${name}, source_id ${name}, name text not null, label text collate "C", config ${json},
     data ${json}, pushed_at bigint, max_age bigint, fallback json, created_at bigint not null,
     primary key (account_id, id),
     foreign key (account_id, source_id) references source) with (fillfactor = 50)`,
  "create index feed_source on feed (account_id, source_id)",
  `create table destination (
     account_id ${name}, zone_id ${name}, record_id ${name}, desttype ${name}, destid ${name}, feed_id ${name},
     primary key (account_id, zone_id, record_id, desttype, destid, feed_id))`,
  "create index destination_feed on destination (account_id, feed_id)",
];

export const zoneTables: readonly string[] = [...zones, ...records, ...history, ...loads, ...feeds];
