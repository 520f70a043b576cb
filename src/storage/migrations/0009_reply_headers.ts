/** Replies stored for an Idempotency-Key have the headers of their page. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

export const replyHeaders: Migration = {
  async up(db) {
    await sql`alter table idempotency add column headers json not null default '{}'`.execute(db);
  },
};
