/** SQL of catalog zones and their members. */
import type { Db } from "../store.ts";
import type { ZoneRow } from "../zones/store.ts";

type Catalog = Pick<ZoneRow, "account_id" | "id">;

/** Names of zones that are members of a catalog. */
export async function findMembers(db: Db, catalog: Catalog, limit: number): Promise<string[]> {
  const members = membersOf(db, catalog).select("zone").orderBy("zone").limit(limit);
  return (await members.execute()).map(({ zone }) => zone);
}

/** The zones that a catalog made are the account's own from now on. */
export async function releaseMembers(db: Db, { account_id, id }: Catalog): Promise<void> {
  await db
    .updateTable("zone")
    .set({ catalog: null, catalog_id: null })
    .where("account_id", "=", account_id)
    .where("catalog_id", "=", id)
    .execute();
}

const membersOf = (db: Db, { account_id, id }: Catalog) =>
  db.selectFrom("zone").where("account_id", "=", account_id).where("catalog_id", "=", id);
