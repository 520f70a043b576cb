/** The first schema. This migration is frozen; later migrations change the schema. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { accountTables } from "./0001_schema/accounts.ts";
import { streamTables } from "./0001_schema/streams.ts";
import { zoneTables } from "./0001_schema/zones.ts";

export const schema: Migration = {
  async up(db) {
    for (const statement of [...accountTables, ...zoneTables, ...streamTables]) await sql.raw(statement).execute(db);
  },
};
