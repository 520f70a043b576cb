/** SQL of listings: those of an account in the order of their ids. */
import type { Selectable } from "kysely";
import { whole } from "../../../http/route/page.ts";
import type { Page } from "../../../http/route/route.ts";
import type { Tables } from "../../../storage/tables/index.ts";
import type { Db } from "../../kit/store.ts";

type Listed = "api_key" | "team" | "account_user";

/** A page of an account's rows; all of them where no page is named. */
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
  // the type of a query goes by all tables that it may be of
  return rows as Selectable<Tables[Table]>[];
}
