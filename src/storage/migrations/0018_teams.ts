/** Teams: permissions and allow lists that keys share. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const name = `text collate "C" not null`;

export const teams: Migration = {
  async up(db) {
    await sql
      .raw(`create table team (
        account_id ${name} references account, id ${name}, name text not null, permissions json not null,
        ip_whitelist json not null, created bigint not null,
        primary key (account_id, id))`)
      .execute(db);
  },
};
