/** Secrets of API keys that end at a time, beside the string of a key that does not expire. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const name = `text collate "C" not null`;

const statements = [
  "alter table api_key alter column secret drop not null, add column expiry_days integer",
  `create table api_key_secret (
     account_id ${name}, key_id ${name}, id ${name}, secret text not null, expires_at bigint not null,
     enabled boolean not null, last_access bigint,
     primary key (account_id, key_id, id),
     foreign key (account_id, key_id) references api_key)`,
  `alter table key_claim add column secret_id text collate "C"`,
];

export const keySecrets: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
