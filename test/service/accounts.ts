/** Accounts that a test makes. */
import type { Store } from "../../src/storage/db.ts";

/** The id of the account whose key was made last, such as that of a new stranger. */
export async function newestAccount({ db }: Pick<Store, "db">): Promise<string> {
  const newest = db.selectFrom("api_key").select("account_id").orderBy("id", "desc").limit(1);
  return (await newest.executeTakeFirstOrThrow()).account_id;
}
