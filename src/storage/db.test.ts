import { sql } from "kysely";
import { expect, test } from "vitest";
import { emptyDatabase, silent, testDatabase, testStore } from "../../test/store/store.ts";
import { newId } from "../lib/ids.ts";
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

test("a user without rights is told which right it needs", async () => {
  const url = await emptyDatabase();
  const user = `poor_${newId()}`;
  await sql.raw(`create role ${user} login`).execute(store.db);
  const theirs = url.replace("user=fairlead", `user=${user}`);
  expect(theirs).not.toBe(url);
  await expect(openStore(theirs, { log: silent })).rejects.toThrow(
    /^the user of the store at .* needs more rights \(permission denied for schema public\): make it the owner/,
  );
  await sql.raw(`drop role ${user}`).execute(store.db);
});
