/** Users are found by their e-mail address, too, in whatever case it is typed. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

export const addresses: Migration = {
  async up(db) {
    await sql`create index account_user_email on account_user (lower(email))`.execute(db);
  },
};
