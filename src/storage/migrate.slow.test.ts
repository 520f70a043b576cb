import { sql } from "kysely";
import { expect, test } from "vitest";
import { emptyDatabase, silent, testStore } from "../../test/store/store.ts";
import { openStore } from "./db.ts";
import { migrationNames } from "./migrate.ts";

const slow = { timeout: 60_000 };

test("many processes can open an empty database at once, and the schema is made once", slow, async () => {
  const url = await emptyDatabase();
  const stores = await Promise.all(
    Array.from({ length: 4 }, () => openStore(url, { log: silent, poolSize: 2, isFenced: false })),
  );
  for (const { db } of stores) expect(await db.selectFrom("zone").selectAll().execute()).toEqual([]);
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(stores[0]!.db);
  expect(rows.map((row) => row.name)).toEqual(migrationNames);
  for (const store of stores) await store.close();
});

test("migrations are numbered without gaps", () => {
  const numbers = migrationNames.map((name) => Number(name.slice(0, 4)));
  expect(numbers).toEqual(migrationNames.map((_, i) => i + 1));
});

test("a schema of a newer version is refused with the reason", slow, async () => {
  const url = await emptyDatabase();
  const store = await openStore(url, { log: silent, poolSize: 1 });
  await sql`insert into kysely_migration (name, timestamp) values ('9999_later', '')`.execute(store.db);
  await store.close();
  await expect(openStore(url, { log: silent })).rejects.toThrow(/newer version.*9999_later/);
});

test("an unreachable store is reported at once", async () => {
  const url = "postgresql:///fairlead?host=/nowhere&user=fairlead";
  await expect(openStore(url, { log: silent })).rejects.toMatchObject({ status: 503 });
});

test("names are ordered by octets in any locale of the database", async () => {
  const { db } = await testStore();
  const { rows } = await sql<{ column: string; collation: string }>`
    select table_name || '.' || column_name as column, collation_name as collation from information_schema.columns
    where table_schema = current_schema() and table_name in ('zone', 'record', 'zone_claim')
      and column_name in ('zone', 'domain', 'fqdn', 'account_id', 'id', 'zone_id', 'view', 'type')`.execute(db);
  expect(rows.length).toBeGreaterThan(8);
  expect(rows.filter((row) => row.collation !== "C")).toEqual([]);
});

test("the primary key of every tenant table begins with the account", async () => {
  const { db } = await testStore();
  const { rows } = await sql<{ name: string; first: string; tenant: boolean }>`
    select tc.table_name as name, kcu.column_name as first,
      exists (select from information_schema.columns c where c.table_name = tc.table_name and c.column_name = 'account_id') as tenant
    from information_schema.table_constraints tc join information_schema.key_column_usage kcu using (constraint_name)
    where tc.constraint_type = 'PRIMARY KEY' and kcu.ordinal_position = 1 and tc.table_schema = current_schema()`.execute(
    db,
  );
  const wrong = rows.filter((row) => row.tenant && row.first !== "account_id" && !row.name.endsWith("_claim"));
  expect(wrong).toEqual([]);
  expect(rows.length).toBeGreaterThan(15);
});
