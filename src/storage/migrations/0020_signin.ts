/** How users sign in: passwords and second factors, links that are sent to them, sessions, and guesses that are counted. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const name = `text collate "C" not null`;
const ofUser = `account_id ${name}, user_id ${name}`;
const knowsUser = "foreign key (account_id, user_id) references account_user";

const statements = [
  "alter table account add column second_factor_required boolean not null default false",
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
  'create table sign_in_guess (subject text collate "C" primary key, full_at bigint not null)',
  "create index sign_in_guess_full on sign_in_guess (full_at)",
];

export const signIn: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
