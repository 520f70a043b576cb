/** Reads of an account share connections; see `reads.ts`. */
import { type RawBuilder, sql } from "kysely";
import { expect, test } from "vitest";
import { testDatabase, testStore } from "../../../test/store/store.ts";

const url = await testDatabase();
const store = await testStore({ url });
const patience = 400;

const read = <Row>(account_id: string, statement: RawBuilder<Row>) => statement.execute(store.readsOf(account_id));
const pid = () => sql<{ pid: number }>`select pg_backend_pid() as pid`;
const pidOf = async (account_id: string) => (await read(account_id, pid())).rows[0]!.pid;

test("four reads of an account that begin together share a connection; further ones and other accounts have their own", async () => {
  const pids = await Promise.all(["a", "a", "a", "a", "a", "b"].map(pidOf));
  expect(new Set(pids.slice(0, 4)).size).toBe(1);
  expect(new Set(pids).size).toBe(3);
});

test("a read that fails does not fail those beside it", async () => {
  const answers = await Promise.allSettled([
    read("a", sql`select ${1}::int as n`),
    read("a", sql`select 1 / ${0}::int as n`),
    read("a", sql`select ${3}::int as n`),
  ]);
  expect(answers).toMatchObject([
    { status: "fulfilled", value: { rows: [{ n: 1 }] } },
    { status: "rejected" },
    { status: "fulfilled", value: { rows: [{ n: 3 }] } },
  ]);
});

test("the columns of a prepared statement are described once, and are those of every later result", async () => {
  const row = (n: number) => sql`select ${n}::bigint as large, ${String(n)}::text as name, null as nothing`;
  for (const n of [1, 2, 3]) {
    const { rows } = await read("a", row(n));
    expect(rows).toEqual([{ large: n, name: String(n), nothing: null }]);
  }
});

test("reads that share a connection and take longer together than one may are all answered", async () => {
  const hasty = await testStore({ url, patience });
  const reads = [1, 2, 3, 4].map((n) => sql`select ${n}::int as n, pg_sleep(0.2)`.execute(hasty.readsOf("a")));
  const answered = await Promise.all(reads);
  expect(answered.map(({ rows: [row] }) => row)).toMatchObject([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
});

test("a transaction of reads has a connection of its own", async () => {
  const inTransaction = store
    .readsOf("a")
    .transaction()
    .execute((tx) => pid().execute(tx));
  const [{ rows }, other] = await Promise.all([inTransaction, pidOf("a")]);
  expect(rows[0]!.pid).not.toBe(other);
});

test("a statement that cannot be prepared does not fail the same statement behind it", async () => {
  const first = await testStore({ url });
  const rows = (n: number) => sql`select ${n}::int as n from made_later`.execute(first.readsOf("a"));
  await sql`create table made_later as select 1`.execute(first.db);
  const waiting = first.transaction(
    async (tx) => {
      await sql`lock table made_later in access exclusive mode`.execute(tx);
      const settled = Promise.allSettled([rows(1), rows(2)]);
      await expect(settled).resolves.toMatchObject([{ reason: { status: 503 } }, { reason: { status: 503 } }]);
    },
    { within: 10_000 },
  );
  await waiting;
  expect((await rows(3)).rows).toEqual([{ n: 3 }]);
});
