/** SQL that renames record types stored as TYPEnnn. */
import { sql } from "kysely";
import { acrossAccounts } from "../../../../storage/fence/exceptions.ts";
import type { Db } from "../../../kit/store.ts";

/** `number` is TYPEnnn. */
interface NamedType {
  readonly name: string;
  readonly number: string;
}

const setting = "named_types";

/** Whether the last run used exactly this list of names. */
export const lastRunUsed = async (db: Db, value: string): Promise<boolean> =>
  (await db.selectFrom("setting").select("name").where("name", "=", setting).where("value", "=", value).execute())
    .length > 0;

export async function saveRun(db: Db, value: string): Promise<void> {
  await db
    .insertInto("setting")
    .values({ name: setting, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

/** A record already stored under the name wins: it is newer. */
export async function nameRecords(db: Db, types: readonly NamedType[]): Promise<void> {
  await sql`
    update record set type = named.name from ${namesOf(types)}
    where record.type = named.number and not exists (
      select from record as other where other.account_id = record.account_id and other.zone_id = record.zone_id
        and other.domain = record.domain and other.type = named.name)
    ${sql.raw(acrossAccounts("operator"))}`.execute(db);
}

/** Adds the queries counted under both spellings. */
export async function nameUsage(db: Db, types: readonly NamedType[]): Promise<void> {
  await sql`
    with numbered as (
      delete from usage using ${namesOf(types)} where usage.type = named.number returning usage.*, named.name)
    insert into usage (account_id, span, zone, domain, type, at, queries)
    select account_id, span, zone, domain, name, at, queries from numbered
    on conflict (account_id, span, zone, domain, type, at) do update set queries = usage.queries + excluded.queries
    ${sql.raw(acrossAccounts("operator"))}`.execute(db);
}

const namesOf = (types: readonly NamedType[]) => sql`
  unnest(${types.map(({ number }) => number)}::text[], ${types.map(({ name }) => name)}::text[]) as named (number, name)`;
