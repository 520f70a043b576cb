/** The fence in a store: what it refuses there, who passes it, and that it knows every table. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CompiledQuery, sql } from "kysely";
import { expect, test } from "vitest";
import { testStore } from "../../../test/store.ts";
import { across, reasons } from "./across.ts";
import { holdingColumns } from "./tables.ts";

const store = await testStore({ isFenced: true });

test("a query that is held to no account is not sent, however it is made, and one that says why is", async () => {
  const refusal = /held to no account in the table zone/;
  const { db } = store;
  await expect(db.selectFrom("zone").selectAll().where("id", "=", "1").execute()).rejects.toThrow(refusal);
  await expect(sql`delete from zone where id = ${"1"}`.execute(db)).rejects.toThrow(refusal);
  await expect(db.executeQuery(CompiledQuery.raw("update zone set ttl = 1"))).rejects.toThrow(refusal);
  await expect(store.transaction((tx) => tx.deleteFrom("zone").execute())).rejects.toThrow(refusal);
  expect(await db.selectFrom("zone").selectAll().where("account_id", "=", "1").execute()).toEqual([]);
  expect(await db.selectFrom("zone").selectAll().modifyEnd(across("operator")).execute()).toEqual([]);
});

/** How many statements of a file see the rows of all accounts, by reason. Whoever adds one says here that it must be. */
const passing = {
  "control/account/accounts-store.ts": { operator: 2 },
  "control/activity/store.ts": { age: 1 },
  "control/catalogs/store.ts": { schedule: 1 },
  "control/deleted/store.ts": { age: 1 },
  "control/idempotency/store.ts": { age: 1 },
  "control/mail/store.ts": { schedule: 4 },
  "control/records/naming-store.ts": { operator: 2 },
  "control/signin/session-store.ts": { age: 1 },
  "control/signin/signer-store.ts": { address: 1 },
  "control/stats/store.ts": { age: 2 },
  "control/transfers/store.ts": { schedule: 2 },
  "control/versions/trim-store.ts": { age: 2 },
  "control/zonefiles/store.ts": { age: 1, schedule: 1 },
  "control/zones/store.ts": { operator: 1 },
  "storage/loads.ts": { schedule: 1 },
  "storage/master-key.ts": { operator: 1 },
  "storage/numbering.ts": { order: 4 },
  "storage/sealed.ts": { operator: 1 },
  "storage/trim.ts": { order: 1 },
};

test("the statements that pass the fence are few, and known", () => {
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

/** Tables of names that are unique over all accounts: they lead to one. */
const claims = ["domain_claim", "key_claim", "login_claim", "zone_claim"];

test("the key of every table begins with the account, but for claims and what is nobody's", async () => {
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
