/** Users prove their e-mail address when they set a password with a link that was mailed to it. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

export const provenAddresses: Migration = {
  async up(db) {
    await sql`alter table user_token add column sent_to text`.execute(db);
    await sql`alter table user_credential add column proven_email text`.execute(db);
  },
};
