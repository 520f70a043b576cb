/** Accounts and keys get their own scope of the guard against deletions. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

export const deletionGuard: Migration = {
  async up(db) {
    for (const table of ["account", "api_key"]) {
      await sql`alter table ${sql.table(table)} add deletion_guard text
        check (deletion_guard in ('off', 'many', 'single'))`.execute(db);
    }
  },
};
