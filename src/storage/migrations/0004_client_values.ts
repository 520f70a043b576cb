/** Values that existing clients compare: an override_ttl that nobody set, zones that were secondary, deleted versions. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

export const clientValues: Migration = {
  async up(db) {
    await sql`alter table record alter column override_ttl drop not null, alter column override_ttl drop default`.execute(
      db,
    );
    await sql`alter table zone add column was_secondary boolean not null default false`.execute(db);
    await sql`alter table zone_serial add column unlisted boolean not null default false`.execute(db);
  },
};
