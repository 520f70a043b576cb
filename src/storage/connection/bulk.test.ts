/** Priorities of the processes of an embedded server. */
import { getPriority } from "node:os";
import { CompiledQuery, type Kysely, sql } from "kysely";
import { describe, expect, test } from "vitest";
import { testStore } from "../../../test/store/store.ts";
import { StoreLink } from "../../../test/store/store-link.ts";
import type { Tables } from "../tables/index.ts";
import { BulkConnection } from "./bulk.ts";

const store = await testStore();
const embedded = await testStore({ url: store.url, isEmbedded: true });

test.runIf(process.platform === "linux")(
  "a bulk connection has a lower priority on an embedded server only",
  async () => {
    const connections = [await embedded.openBulk(), await store.openBulk()];
    const text =
      "select pid from pg_stat_activity where application_name = 'fairlead bulk' and datname = current_database()";
    const { rows } = await store.db.executeQuery<{ pid: number }>(CompiledQuery.raw(text));
    const [usual, lowered] = rows.map(({ pid }) => getPriority(pid)).sort((a, b) => a - b);
    expect(lowered).toBeGreaterThan(usual!);
    for (const connection of connections) connection.close();
  },
);

test.runIf(process.platform === "linux")("the process of a large transaction is not used again", async () => {
  const pid = async (db: Kysely<Tables>) =>
    (await db.executeQuery<{ pid: number }>(CompiledQuery.raw("select pg_backend_pid() as pid"))).rows[0]!.pid;
  const large = await embedded.transaction(
    async (tx) => {
      const found = await pid(tx);
      return { pid: found, niceness: getPriority(found) };
    },
    { isLarge: true },
  );
  expect(large.niceness).toBeGreaterThan(getPriority(await pid(store.db)));
  const isThere = sql<boolean>`select from pg_stat_activity where pid = ${large.pid}`;
  await expect.poll(async () => (await isThere.execute(store.db)).rows.length).toBe(0);
});

describe("when the server can no longer be reached,", () => {
  test.each([
    ["a statement", (connection: BulkConnection) => connection.run("select 1")],
    ["a copy", (connection: BulkConnection) => connection.copy("copy setting from stdin", Buffer.alloc(0))],
  ])("%s is given up", async (_, begin) => {
    await using link = await StoreLink.open(store.url);
    const connection = await BulkConnection.open(link.url, false, 200, 100);
    link.silence();
    await expect(begin(connection)).rejects.toThrow("the store is not reachable");
  });
});
