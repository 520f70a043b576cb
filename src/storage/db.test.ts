import { sql } from "kysely";
import { expect, test } from "vitest";
import { silent, testDatabase, testStore } from "../../test/store/store.ts";
import { openStore } from "./db.ts";

const store = await testStore();

test("an acknowledged write is on disk", async () => {
  for (const name of ["fsync", "synchronous_commit", "full_page_writes"]) {
    const { rows } = await sql.raw<Record<string, string>>(`show ${name}`).execute(store.db);
    expect(rows[0]![name]).toBe("on");
  }
});

test("a closed store has no connections left, even if it ran nothing but transactions", async () => {
  const other = await openStore(await testDatabase(), { log: silent });
  const pid = await other.transaction(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    return rows[0]!.pid;
  });
  await other.close();
  const left = () => sql`select 1 from pg_stat_activity where pid = ${pid}`.execute(store.db);
  await expect.poll(async () => (await left()).rows, { timeout: 10_000 }).toEqual([]);
});
