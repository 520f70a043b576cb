/** Digests of zones, which edges compare with their own. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const name = `text collate "C" not null`;

const statements: readonly string[] = [
  "create sequence digest_number",
  `create table digest_batch (
     number bigint primary key, revision bigint not null, zones json not null, total bigint, last_account ${name},
     last_zone ${name}, created bigint not null)`,
];

export const digests: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
