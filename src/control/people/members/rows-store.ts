/** SQL that is the same for an account's keys, teams, users and allow lists. */
import type { Selectable } from "kysely";
import { whole } from "../../../http/route/page.ts";
import type { Page } from "../../../http/route/route.ts";
import { missing } from "../../../lib/problem.ts";
import type { Tables } from "../../../storage/tables/index.ts";
import { type Db, rowsOf, statement } from "../../kit/store.ts";

type Table = "api_key" | "team" | "account_user" | "allow_list";

interface RowRef {
  readonly account_id: string;
  readonly id: string;
}

const ofAccount = (db: Db, table: Table, account_id: string) =>
  db.selectFrom<Table>(table).selectAll().where("account_id", "=", account_id);

/** A page of an account's rows in the order of ids; by default, all rows. */
export async function listRows<T extends Table>(
  db: Db,
  table: T,
  account_id: string,
  { after = "", limit }: Page = whole,
): Promise<Selectable<Tables[T]>[]> {
  const rows = await ofAccount(db, table, account_id).where("id", ">", after).orderBy("id").limit(limit).execute();
  // the query's type is the union over all tables
  return rows as Selectable<Tables[T]>[];
}

/** Throws `missing` with the message unless the account has a row with this id. */
export async function getRow<T extends Table>(
  db: Db,
  table: T,
  { account_id, id }: RowRef,
  message: string,
): Promise<Selectable<Tables[T]>> {
  const row = await ofAccount(db, table, account_id).where("id", "=", id).executeTakeFirst();
  if (row === undefined) throw missing(message, { id });
  // the query's type is the union over all tables
  return row as Selectable<Tables[T]>;
}

export async function countRows(db: Db, table: Table | "zone", account_id: string): Promise<number> {
  const all = db.selectFrom<Table | "zone">(table).where("account_id", "=", account_id);
  return (await all.select(({ fn }) => fn.countAll<number>().as("rows")).executeTakeFirstOrThrow()).rows;
}

/** Whether another key or team of the account has this name. */
export async function isNameTaken(
  db: Db,
  table: "api_key" | "team",
  { account_id, id, name }: RowRef & { readonly name: string },
): Promise<boolean> {
  const others = db.selectFrom<"api_key" | "team">(table).select("id").where("account_id", "=", account_id);
  return (await others.where("id", "<>", id).where("name", "=", name).limit(1).executeTakeFirst()) !== undefined;
}

/** The columns in which a key, user or team may be large. */
export const holderColumns = {
  api_key: ["permissions", "ip_whitelist", "teams"],
  account_user: ["permissions", "ip_whitelist", "teams", "notify", "shared_auth"],
  team: ["permissions", "ip_whitelist"],
} as const satisfies Partial<Record<Table, readonly string[]>>;

/** The octets of all keys, users and teams of an account. The columns are stored without compression, and are not read. */
export async function sizeOfHolders(db: Db, account_id: string): Promise<number> {
  const sums = Object.entries(holderColumns).map(([table, columns]) => {
    const octets = columns.map((column) => `pg_column_size(${column})`).join(" + ");
    return `coalesce((select sum(${octets}) from ${table} where account_id = $1), 0)`;
  });
  const [row] = await rowsOf(
    db,
    statement<{ octets: number }>(`select (${sums.join(" + ")})::float8 as octets`, [account_id]),
  );
  return row!.octets;
}

/** The number of keys or users that have a strict allow list. */
export async function countStrict(db: Db, table: "api_key" | "account_user", account_id: string): Promise<number> {
  const all = db
    .selectFrom<"api_key" | "account_user">(table)
    .where("account_id", "=", account_id)
    .where("ip_whitelist_strict", "=", true);
  return (await all.select(({ fn }) => fn.countAll<number>().as("rows")).executeTakeFirstOrThrow()).rows;
}

export async function deleteRow(db: Db, table: Table, { account_id, id }: RowRef): Promise<void> {
  await db.deleteFrom<Table>(table).where("account_id", "=", account_id).where("id", "=", id).execute();
}
