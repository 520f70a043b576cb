/** Who comes first where a server is ours. */
import { getPriority } from "node:os";
import { CompiledQuery } from "kysely";
import { expect, test } from "vitest";
import { testStore } from "../../test/store.ts";

const store = await testStore();
const ours = await testStore({ url: store.url, isOurs: true });

test.runIf(process.platform === "linux")("others go first on a server that is ours, and only there", async () => {
  const connections = [await ours.openBulk(), await store.openBulk()];
  const text =
    "select pid from pg_stat_activity where application_name = 'fairlead bulk' and datname = current_database()";
  const { rows } = await store.db.executeQuery<{ pid: number }>(CompiledQuery.raw(text));
  const [other, own] = rows.map(({ pid }) => getPriority(pid)).sort((a, b) => a - b);
  expect(own).toBeGreaterThan(other!);
  for (const connection of connections) connection.close();
});
