/** The fence in a store: its refusals, its exceptions, and the completeness of its tables. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CompiledQuery, sql } from "kysely";
import { expect, test } from "vitest";
import { testStore } from "../../../test/store/store.ts";
import { holdingColumns } from "../tables/owners.ts";
import { across, reasons } from "./exceptions.ts";

const store = await testStore({ isFenced: true });

test("a query that is not restricted to one account is refused, however it is made, unless it states a reason", async () => {
  const refusal = /not restricted to one account in the table zone/;
  const { db } = store;
  await expect(db.selectFrom("zone").selectAll().where("id", "=", "1").execute()).rejects.toThrow(refusal);
  await expect(sql`delete from zone where id = ${"1"}`.execute(db)).rejects.toThrow(refusal);
  await expect(db.executeQuery(CompiledQuery.raw("update zone set ttl = 1"))).rejects.toThrow(refusal);
  await expect(store.transaction((tx) => tx.deleteFrom("zone").execute())).rejects.toThrow(refusal);
  expect(await db.selectFrom("zone").selectAll().where("account_id", "=", "1").execute()).toEqual([]);
  expect(await db.selectFrom("zone").selectAll().modifyEnd(across("operator")).execute()).toEqual([]);
});

/** The statements per file that see the rows of all accounts, by reason. A new one must be listed here. */
const passing = {
  "control/attention/zone-store.ts": { schedule: 1 },
  "control/changesets/drafts/store.ts": { age: 1 },
  "control/people/operator/accounts-store.ts": { operator: 2 },
  "control/system/store.ts": { operator: 2 },
  "control/zones/catalogs/store.ts": { schedule: 1 },
  "control/zones/delegation/store.ts": { schedule: 2 },
  "control/zones/deleted/store.ts": { age: 1, schedule: 1 },
  "control/people/mail/store.ts": { schedule: 4 },
  "control/zones/model/record/naming-store.ts": { operator: 2 },
  "control/people/credentials/session-store.ts": { age: 1 },
  "control/people/credentials/sign-in-user-store.ts": { address: 1 },
  "control/usage/store.ts": { age: 5 },
  "control/exchange/transfers/store.ts": { schedule: 3, operator: 1 },
  "control/write/settle/store.ts": { order: 1 },
  "control/kit/store.ts": { age: 1 },
  "control/zonefiles/store.ts": { age: 1, schedule: 1 },
  "control/zones/model/zone/store.ts": { operator: 1 },
  "storage/loads.ts": { schedule: 1 },
  "storage/secrets/master-key.ts": { operator: 1 },
  "storage/sequencer/epoch.ts": { order: 1 },
  "storage/sequencer/progress.ts": { order: 1 },
  "storage/sequencer/numbering.ts": { order: 4 },
  "storage/secrets/sealed.ts": { operator: 1 },
  "storage/sequencer/trim.ts": { order: 1 },
};

test("the exceptions to the fence are exactly the listed ones", () => {
  const root = join(import.meta.dirname, "../..");
  const found: Record<string, Record<string, number>> = {};
  for (const file of globSync("**/*.ts", { cwd: root }).sort()) {
    if (file.endsWith(".test.ts") || file.startsWith("storage/fence/")) continue;
    for (const [, reason = ""] of readFileSync(join(root, file), "utf8").matchAll(/across(?:Accounts)?\("(\w+)"\)/g)) {
      found[file] = { ...found[file], [reason]: (found[file]?.[reason] ?? 0) + 1 };
    }
  }
  expect(found).toEqual(passing);
  expect(new Set(Object.values(passing).flatMap(Object.keys))).toEqual(new Set(Object.keys(reasons)));
});

/** Tables of names that are unique over all accounts. */
const claims = ["domain_claim", "key_claim", "login_claim", "zone_claim"];

test("the primary key of every table begins with the account, except for claims and tables without accounts", async () => {
  const { rows } = await sql<{ table: string; key: string; owned: boolean }>`
    select relname as table, attname as key,
      exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'account_id') as owned
    from pg_index join pg_class on pg_class.oid = indrelid
      join pg_attribute on attrelid = pg_class.oid and attnum = indkey[0]
    where indisprimary and relnamespace = 'public'::regnamespace and relname not like 'kysely%'`.execute(store.db);
  expect(rows.map(({ table }) => table).sort()).toEqual(Object.keys(holdingColumns).sort());
  for (const { table, key, owned } of rows) {
    const [holding] = holdingColumns[table as keyof typeof holdingColumns];
    if (claims.includes(table) || (!owned && table !== "account")) expect([table, holding]).toEqual([table, undefined]);
    else expect([table, key]).toEqual([table, holding]);
  }
});
