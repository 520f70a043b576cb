/** The first schema: tenants, zones and records, the outbox with its sequencer, and the history of zones. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Compared octet by octet, so that paging order is code order everywhere. */
const name = `text collate "C" not null`;
const json = "json not null";

const tables = [
  `create table account (
     id ${name} primary key, name text not null, plan text not null, dnssec boolean not null, created bigint not null)`,
  `create table account_user (
     account_id ${name} references account, id ${name}, username text not null, email text not null, name text not null,
     permissions ${json}, created bigint not null, last_access bigint,
     primary key (account_id, id))`,
  `create table api_key (
     account_id ${name} references account, id ${name}, name text not null, secret text not null, permissions ${json},
     ip_whitelist ${json}, ip_whitelist_strict boolean not null, teams ${json}, created bigint not null,
     last_access bigint,
     primary key (account_id, id))`,
  `create table key_claim (
     hash ${name} primary key, account_id ${name}, key_id ${name},
     foreign key (account_id, key_id) references api_key)`,
  `create table login_claim (
     login ${name} primary key, account_id ${name}, user_id ${name},
     foreign key (account_id, user_id) references account_user)`,
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
     created_at bigint not null, updated_at bigint not null,
     primary key (account_id, id))`,
  "create unique index zone_name on zone (account_id, zone, view)",
  `create table owner (
     account_id ${name}, zone_id ${name}, domain ${name},
     primary key (account_id, zone_id, domain))`,
  `create table record (
     account_id ${name}, zone_id ${name}, domain ${name}, type ${name}, id ${name}, ttl bigint not null,
     tier integer not null, link text, use_client_subnet boolean not null, override_ttl boolean not null,
     override_address_records boolean not null, answers ${json}, filters ${json}, regions ${json}, meta ${json},
     feeds ${json}, tags ${json}, local_tags ${json}, blocked_tags ${json}, created_at bigint not null,
     updated_at bigint not null,
     primary key (account_id, zone_id, domain, type))`,
  `create table activity (
     account_id ${name}, id ${name}, timestamp bigint not null, resource_type text not null, resource_id text not null,
     user_id text not null, user_name text not null, user_type text not null, action text not null, address text,
     resource json,
     primary key (account_id, id))`,
  "create index activity_time on activity (account_id, timestamp)",
  `create table idempotency (
     account_id ${name}, key ${name}, request text not null, status integer not null, body text not null,
     created bigint not null,
     primary key (account_id, key))`,
  "create index idempotency_created on idempotency (created)",
];

const stream = [
  "create sequence change_seq",
  `create table change (
     account_id ${name}, id ${name}, seq bigint not null default nextval('change_seq'), zone_ids ${json},
     body text not null, is_load boolean not null, created bigint not null, revision bigint, previous bigint,
     serials json,
     primary key (account_id, id))`,
  // what the sequencer looks for: small, because numbered rows leave it
  "create index change_unnumbered on change (seq) where revision is null",
  "create unique index change_revision on change (revision) where revision is not null",
  `create table change_load (
     id ${name} primary key, checksum text not null, body text not null, created bigint not null)`,
  `create table zone_history (
     account_id ${name}, zone_id ${name}, change_id ${name}, serial bigint, at bigint not null, removed ${json},
     added ${json},
     primary key (account_id, zone_id, change_id))`,
  "create index zone_history_serial on zone_history (account_id, zone_id, serial) where serial is not null",
  `create table sequencer (subject ${name} primary key, revision bigint not null)`,
  "insert into sequencer (subject, revision) values ('configuration', 0)",
  `create table follower (id ${name} primary key, revision bigint not null, seen_at bigint not null)`,
  `create table setting (name ${name} primary key, value text not null)`,
];

export const start: Migration = {
  async up(db) {
    for (const statement of [...tables, ...stream]) await sql.raw(statement).execute(db);
  },
};
