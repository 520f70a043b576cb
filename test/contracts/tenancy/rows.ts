/** All rows of an account in the store, as one text. */
import { sql } from "kysely";
import type { Store } from "../../../src/storage/db.ts";
import { holdingColumns } from "../../../src/storage/tables/owners.ts";

/** Columns that a service writes by itself: states of primaries, uses of keys, numbers of changes. */
const byItself = [
  "transfer",
  "refresh_at",
  "last_access",
  "used_at",
  "revision",
  "previous",
  "serials",
  "serial",
  "attempts",
  "next_try",
];
/** Tables that a service writes by itself. */
const passing = ["zone_serial", "usage", "usage_mix", "usage_missing", "mail", "attention", "zone_lint"];
const claims = ["zone_claim", "key_claim", "login_claim"];

export async function rowsOfAccount({ db }: Store, account_id: string): Promise<string> {
  const tables = [...claims, ...Object.keys(holdingColumns)].filter((table) => {
    const [column] = Reflect.get(holdingColumns, table) as readonly string[];
    return claims.includes(table) || (column !== undefined && !passing.includes(table));
  });
  // one statement, which the store plans once
  const parts = tables.map((table) => {
    const column = table === "account" ? "id" : "account_id";
    return sql`
      select ${sql.lit(table)} || ' ' || (to_jsonb(each) - ${byItself}::text[])::text as row
      from ${sql.table(table)} as each where ${sql.ref(column)} = ${account_id}`;
  });
  const { rows } = await sql<{ row: string }>`${sql.join(parts, sql` union all `)} order by 1`.execute(db);
  return rows.map(({ row }) => row).join("\n");
}
