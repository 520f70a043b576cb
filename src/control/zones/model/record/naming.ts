/** Renames records stored as TYPEnnn before their type had a name here, because lookups use the name. */
import { types } from "../../../../dns/types.ts";
import type { Store } from "../../../../storage/db.ts";
import { lastRunUsed, nameRecords, nameUsage, saveRun } from "./naming-store.ts";

/** Milliseconds; all records and all of their usage are read. */
const patience = 600_000;

/** Renames the types of records and of their usage. Runs once for each new list of type names. */
export async function nameTypes(store: Store): Promise<void> {
  const named = Object.values(types).map(({ name, code }) => ({ name, number: `TYPE${code}` }));
  const all = named.map(({ name }) => name).join(" ");
  if (await lastRunUsed(store.db, all)) return;
  await store.transaction(
    async (tx) => {
      await nameRecords(tx, named);
      await nameUsage(tx, named);
      await saveRun(tx, all);
    },
    { within: patience },
  );
}
