/** The first schema: accounts with their users, keys and teams, signing in, mails and the activity log. */

/** Collated by octets, so that pages have the same order everywhere. */
const name = `text collate "C" not null`;
const json = "json not null";
const ofUser = `account_id ${name}, user_id ${name}`;
const knowsUser = "foreign key (account_id, user_id) references account_user";

const members = [
  `create table account (
     id ${name} primary key, name text not null, dnssec boolean not null, created bigint not null,
     contact ${json} default '{}', usage_warnings ${json} default '{}',
     second_factor_required boolean not null default false, suspended_at bigint)`,
  `create table account_user (
     account_id ${name} references account, id ${name}, username text not null, email text not null, name text not null,
     permissions ${json}, created bigint not null, last_access bigint, teams ${json} default '[]',
     ip_whitelist ${json} default '[]', ip_whitelist_strict boolean not null default false,
     notify ${json} default '{}', shared_auth ${json} default '{}',
     primary key (account_id, id))`,
  "create index account_user_email on account_user (lower(email))",
  `create table api_key (
     account_id ${name} references account, id ${name}, name text not null, secret text, permissions ${json},
     ip_whitelist ${json}, ip_whitelist_strict boolean not null, teams ${json}, created bigint not null,
     last_access bigint, expiry_days integer,
     primary key (account_id, id))`,
  `create table api_key_secret (
     account_id ${name}, key_id ${name}, id ${name}, secret text not null, expires_at bigint not null,
     enabled boolean not null, last_access bigint,
     primary key (account_id, key_id, id),
     foreign key (account_id, key_id) references api_key)`,
  `create table team (
     account_id ${name} references account, id ${name}, name text not null, permissions ${json}, ip_whitelist ${json},
     created bigint not null,
     primary key (account_id, id))`,
  `create table allow_list (
     account_id ${name} references account, id ${name}, name text not null, "values" ${json},
     primary key (account_id, id))`,
  `create table key_claim (
     hash ${name} primary key, account_id ${name}, key_id ${name}, secret_id text collate "C",
     foreign key (account_id, key_id) references api_key)`,
  `create table login_claim (
     login ${name} primary key, ${ofUser}, ${knowsUser})`,
];

const signingIn = [
  `create table user_credential (
     ${ofUser}, password text, totp text, totp_since bigint, totp_step bigint not null,
     primary key (account_id, user_id), ${knowsUser})`,
  `create table recovery_code (
     ${ofUser}, hash ${name},
     primary key (account_id, user_id, hash), ${knowsUser})`,
  `create table user_token (
     ${ofUser}, kind ${name}, hash ${name}, expires_at bigint not null,
     primary key (account_id, user_id, kind), ${knowsUser})`,
  "create unique index user_token_hash on user_token (hash)",
  `create table user_session (
     ${ofUser}, id ${name}, hash ${name}, stage text not null, created bigint not null, used_at bigint not null,
     address text not null, agent text not null,
     primary key (account_id, id), ${knowsUser})`,
  "create unique index user_session_hash on user_session (hash)",
  "create index user_session_user on user_session (account_id, user_id)",
  'create table attempt (subject text collate "C" primary key, full_at bigint not null)',
  "create index attempt_full on attempt (full_at)",
];

const requests = [
  `create table activity (
     account_id ${name}, id ${name}, timestamp bigint not null, resource_type text not null, resource_id text not null,
     user_id text not null, user_name text not null, user_type text not null, action text not null, address text,
     resource json, before json, zone ${name} default '',
     primary key (account_id, id))`,
  "create index activity_order on activity (account_id, timestamp, id)",
  ...["resource_id", "resource_type", "user_id", "user_name", "zone"].map(
    (column) =>
      `create index activity_${column.replace("resource_id", "resource")}
         on activity (account_id, ${column}, timestamp, id)`,
  ),
  `create table idempotency (
     account_id ${name}, key ${name}, request text not null, status integer not null, body text not null,
     created bigint not null,
     primary key (account_id, key))`,
  "create index idempotency_created on idempotency (created)",
  `create table mail (
     account_id ${name} references account, id ${name}, recipient text not null, content text not null,
     resource_type text not null, resource_id ${name}, attempts integer not null, created bigint not null,
     next_try bigint not null, gives_access boolean not null,
     primary key (account_id, id))`,
  "create index mail_due on mail (next_try)",
  "create index mail_resource on mail (account_id, resource_id)",
];

export const accountTables: readonly string[] = [...members, ...signingIn, ...requests];
