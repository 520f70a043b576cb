/** Numbers that get stuck, and a store that takes no writes, are seen from outside. */
import { sql } from "kysely";
import { expect, test } from "vitest";
import { fakeClock } from "../../../test/machine/clock.ts";
import { silent, testStore } from "../../../test/store/store.ts";
import { insertAccount, insertZone, putRecord } from "../../../test/store/writes.ts";
import { newId } from "../../lib/ids.ts";
import { takeLease } from "../lease.ts";
import { Numbering } from "./numbering.ts";
import { assertNumbered, streamProgress } from "./progress.ts";

const store = await testStore();
const { db } = store;
const account_id = await insertAccount(store);

test("changes without a number and edges that lack a change are counted", async () => {
  const zone = await insertZone(store, account_id, "progress.example");
  await putRecord(store, zone, { label: "www", address: "192.0.2.1" });
  expect(await streamProgress(db)).toEqual({ unnumbered: 2, waited: expect.any(Number), edges: 0, edges_behind: 0 });
  await sql`update change set created = extract(epoch from clock_timestamp())::bigint - 20`.execute(db);
  const stuck = await streamProgress(db);
  expect(stuck.waited).toBeGreaterThanOrEqual(20);
  expect(() => assertNumbered(stuck)).toThrow("2 changes are not answered yet: the oldest has waited 2");
  const lease = (await takeLease(db, "sequencer", newId(), 60_000))!;
  await new Numbering(store, { clock: fakeClock(), log: silent }).run(lease);
  const followers = [
    { id: "here", revision: 2, seen_at: 0 },
    { id: "behind", revision: 1, seen_at: 0 },
  ];
  await db.insertInto("follower").values(followers).execute();
  expect(assertNumbered(await streamProgress(db))).toEqual({ unnumbered: 0, waited: 0, edges: 2, edges_behind: 1 });
});

test("a connection to a server that takes no writes is dropped, and the reason is said", async () => {
  const own = await testStore({ url: store.url, poolSize: 1 });
  const pid = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(own.db)).rows[0]!.pid;
  const before = await pid();
  await sql`set default_transaction_read_only = on`.execute(own.db);
  await expect(own.ping()).rejects.toThrow("the store takes no writes: it is a standby, or was set to read only");
  expect(await pid()).not.toBe(before);
  // asked at most once a second
  await expect(own.ping()).rejects.toThrow("takes no writes");
  await expect.poll(() => own.ping().then(() => "ok", String), { timeout: 5000 }).toBe("ok");
  await sql`set default_transaction_read_only = on`.execute(own.db);
  // the transaction goes on with another connection
  await own.transaction((tx) => tx.updateTable("follower").set({ seen_at: 1 }).execute());
});
