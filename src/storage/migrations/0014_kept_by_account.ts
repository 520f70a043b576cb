/** History and stored replies are found by account and age, so that what an account keeps has a limit. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const statements: readonly string[] = [
  "create index zone_history_age on zone_history (account_id, at)",
  "drop index zone_history_at",
  "create index idempotency_age on idempotency (account_id, created)",
  "drop index idempotency_created",
  // the first account, which is the operator's own, has no limits
  `update account set quota = (quota::jsonb || '{"kept":null}')::json
     where quota is not null and id = (select value from setting where name = 'first_account')`,
];

export const keptByAccount: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
