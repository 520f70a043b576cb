/** Records that were written as TYPEnnn before their type had a name here: they are looked for by the name. */
import { sql } from "kysely";
import { types } from "../../dns/types.ts";
import type { Store } from "../../storage/db.ts";
import { acrossAccounts } from "../../storage/fence/across.ts";
import type { Db } from "../store.ts";

const setting = "named_types";
/** Milliseconds: all records are looked at. */
const patience = 600_000;

/** Gives such records the names that types have by now: once for each time that types have got names. */
export async function nameTypes(store: Store): Promise<void> {
  const named = Object.values(types).map(({ name, code }) => ({ name, number: `TYPE${code}` }));
  const value = named.map(({ name }) => name).join(" ");
  if (await isSet(store.db, value)) return;
  await store.transaction(
    async (tx) => {
      // what is there under the name already is what has been asked for since then
      await sql`
        update record set type = named.name
        from unnest(${named.map(({ number }) => number)}::text[], ${named.map(({ name }) => name)}::text[])
          as named (number, name)
        where record.type = named.number and not exists (
          select from record as other where other.account_id = record.account_id and other.zone_id = record.zone_id
            and other.domain = record.domain and other.type = named.name)
        ${sql.raw(acrossAccounts("operator"))}`.execute(tx);
      await tx
        .insertInto("setting")
        .values({ name: setting, value })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
        .execute();
    },
    { within: patience },
  );
}

const isSet = async (db: Db, value: string): Promise<boolean> =>
  (await db.selectFrom("setting").select("name").where("name", "=", setting).where("value", "=", value).execute())
    .length > 0;
