/** What was written as TYPEnnn before its type had a name here: it is looked for by the name. */
import { types } from "../../../../dns/types.ts";
import type { Store } from "../../../../storage/db.ts";
import { areNamed, keepNamed, nameRecords, nameUsage } from "./naming-store.ts";

/** Milliseconds: all records are looked at, and all that was counted of them. */
const patience = 600_000;

/** Gives records, and what was counted of them, the names that types have by now: once for each time that types have got names. */
export async function nameTypes(store: Store): Promise<void> {
  const named = Object.values(types).map(({ name, code }) => ({ name, number: `TYPE${code}` }));
  const all = named.map(({ name }) => name).join(" ");
  if (await areNamed(store.db, all)) return;
  await store.transaction(
    async (tx) => {
      await nameRecords(tx, named);
      await nameUsage(tx, named);
      await keepNamed(tx, all);
    },
    { within: patience },
  );
}
