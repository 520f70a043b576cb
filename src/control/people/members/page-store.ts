/** SQL of listings: the rows of an account in the order of ids. */
import type { Selectable } from "kysely";
import { whole } from "../../../http/route/page.ts";
import type { Page } from "../../../http/route/route.ts";
import type { Tables } from "../../../storage/tables/index.ts";
import type { Db } from "../../kit/store.ts";

type Listed = "api_key" | "team" | "account_user";

/** A page of an account's rows; all rows without a page. */
export async function listPage<Table extends Listed>(
  db: Db,
  table: Table,
  account_id: string,
  { after = "", limit }: Page = whole,
): Promise<Selectable<Tables[Table]>[]> {
  const rows = await db
    .selectFrom<Listed>(table)
    .selectAll()
    .where("account_id", "=", account_id)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
  // the query's type is the union over all tables
  return rows as Selectable<Tables[Table]>[];
}
