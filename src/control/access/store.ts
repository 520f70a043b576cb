/** SQL of authentication. */
import { sql } from "kysely";
import type { Db } from "../store.ts";

/** One array for each list. */
const allowedOfAccount = sql<readonly (readonly string[])[]>`coalesce(
  (select json_agg("values") from allow_list where allow_list.account_id = api_key.account_id), '[]')`;

/** The key that a keyed hash belongs to. */
export const findKeyByHash = (db: Db, hash: string) =>
  db
    .selectFrom("key_claim")
    .innerJoin("api_key", (join) =>
      join.onRef("api_key.account_id", "=", "key_claim.account_id").onRef("api_key.id", "=", "key_claim.key_id"),
    )
    .select([
      "api_key.account_id",
      "api_key.id",
      "api_key.name",
      "api_key.permissions",
      "api_key.ip_whitelist",
      "api_key.ip_whitelist_strict",
      allowedOfAccount.as("allowed_of_account"),
    ])
    .where("key_claim.hash", "=", hash)
    .executeTakeFirst();

export interface KeyUse {
  readonly account_id: string;
  readonly id: string;
  readonly at: number;
}

/** Notes when keys were used last. */
export async function touchKeys(db: Db, uses: readonly KeyUse[]): Promise<void> {
  const accounts = uses.map((use) => use.account_id);
  const ids = uses.map((use) => use.id);
  const times = uses.map((use) => use.at);
  await sql`
    update api_key set last_access = used.at
    from unnest(${accounts}::text[], ${ids}::text[], ${times}::bigint[]) as used (account_id, id, at)
    where api_key.account_id = used.account_id and api_key.id = used.id`.execute(db);
}
