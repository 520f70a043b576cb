/** SQL for the progress of changes: edges, and the names of the zones. */
import { sql } from "kysely";
import type { Db } from "../kit/store.ts";

/** Edges that follow the changes, with the last revision that each has reported. */
export const listEdges = (db: Db) => db.selectFrom("follower").selectAll().orderBy("id").execute();

/** The names of an account's zones, deleted ones included, by id. */
export async function namesOf(
  db: Db,
  account_id: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const named = (table: "zone" | "deleted_zone") =>
    db
      .selectFrom(table)
      .select(["id", "zone"])
      .where("account_id", "=", account_id)
      .where(sql<boolean>`id = any(${ids}::text[])`);
  const rows = await named("zone").unionAll(named("deleted_zone")).execute();
  return new Map(rows.map(({ id, zone }) => [id, zone]));
}
