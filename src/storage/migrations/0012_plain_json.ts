/** JSON that counts for limits is stored without compression: then its size in the store is that of its text. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const columns: Readonly<Record<string, readonly string[]>> = {
  record: ["answers", "filters", "regions", "meta", "tags", "local_tags", "blocked_tags"],
  zone: ["meta", "tags", "local_tags", "primary", "secondary"],
  team: ["permissions", "ip_whitelist"],
  api_key: ["permissions", "ip_whitelist", "teams"],
  account_user: ["permissions", "ip_whitelist", "teams", "notify", "shared_auth"],
};

/** Rows that are already there stay compressed until they are written again. */
export const plainJson: Migration = {
  async up(db) {
    for (const [table, names] of Object.entries(columns)) {
      const changes = names.map((name) => sql`alter column ${sql.id(name)} set storage external`);
      await sql`alter table ${sql.table(table)} ${sql.join(changes)}`.execute(db);
    }
  },
};
