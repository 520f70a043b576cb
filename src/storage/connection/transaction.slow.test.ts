import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { CompiledQuery, sql, type Transaction } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase, testStore } from "../../../test/store/store.ts";
import type { Tables } from "../tables/index.ts";
import { sendLast } from "./transaction.ts";

const url = await testDatabase();
const store = await testStore({ url });
const patience = 400;
const hasty = await testStore({ url, patience });

const settings = (name: string) => store.db.selectFrom("setting").select("value").where("name", "=", name).execute();
const away = { code: "unavailable", status: 503 };

/** Checks that requests of each kind are refused soon. On a busy machine, one good attempt of several is enough. */
async function expectRefusedSoon(...ways: readonly (() => Promise<unknown>)[]): Promise<void> {
  const slowest = async () => {
    const begin = performance.now();
    await Promise.all(ways.map((ask) => expect(ask()).rejects.toMatchObject(away)));
    return performance.now() - begin;
  };
  await expect.poll(slowest).toBeLessThan(patience + 200);
}

test("a deadlock is retried until both transactions succeed", async () => {
  await store.db
    .insertInto("setting")
    .values([
      { name: "x", value: "" },
      { name: "y", value: "" },
    ])
    .execute();
  const append = (first: string, second: string, mark: string) =>
    store.transaction(
      async (tx) => {
        for (const name of [first, second]) {
          await tx
            .updateTable("setting")
            .set({ value: sql`value || ${mark}` })
            .where("name", "=", name)
            .execute();
          await delay(30);
        }
      },
      { within: 10_000 },
    );
  await Promise.all([append("x", "y", "1"), append("y", "x", "2")]);
  for (const name of ["x", "y"]) expect((await settings(name))[0]!.value).toHaveLength(2);
});

test("a serialisation failure is retried", async () => {
  await store.db.insertInto("setting").values({ name: "count", value: "0" }).execute();
  const add = () =>
    store.transaction(
      async (tx) => {
        await sql`set transaction isolation level repeatable read`.execute(tx);
        const { value } = await tx
          .selectFrom("setting")
          .select("value")
          .where("name", "=", "count")
          .executeTakeFirstOrThrow();
        await tx
          .updateTable("setting")
          .set({ value: String(Number(value) + 1) })
          .where("name", "=", "count")
          .execute();
      },
      { within: 20_000 },
    );
  await Promise.all([add(), add(), add(), add()]);
  expect((await settings("count"))[0]!.value).toBe("4");
});

test("a connection that is lost before COMMIT costs only another attempt", async () => {
  let attempts = 0;
  await store.transaction(async (tx) => {
    attempts++;
    await tx
      .insertInto("setting")
      .values({ name: "once", value: String(attempts) })
      .execute();
    if (attempts > 1) return;
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    const { pid } = rows[0]!;
    await sql`select pg_terminate_backend(${pid})`.execute(store.db);
    // ends when a statement fails on the lost connection
    for (;;) await sql`select from setting`.execute(tx);
  });
  expect(attempts).toBe(2);
  expect(await settings("once")).toEqual([{ value: "2" }]);
});

test("an error that the caller throws rolls back the transaction and is passed on", async () => {
  const own = new Error("own");
  const run = store.transaction(async (tx) => {
    await tx.insertInto("setting").values({ name: "never", value: "" }).execute();
    throw own;
  });
  await expect(run).rejects.toBe(own);
  expect(await settings("never")).toEqual([]);
});

test("a failing last statement rolls back the transaction with its own error", async () => {
  const run = store.transaction(async (tx) => {
    await tx.insertInto("setting").values({ name: "undone", value: "" }).execute();
    sendLast(tx, CompiledQuery.raw("insert into setting (name, value) values ($1, $2)", ["undone", ""]));
    return "done";
  });
  await expect(run).rejects.toMatchObject({ code: "23505" });
  expect(await settings("undone")).toEqual([]);
});

test("a failed statement whose error the caller ignored is not reported as a commit", async () => {
  const run = store.transaction(async (tx) => {
    await tx.insertInto("setting").values({ name: "swallowed", value: "" }).execute();
    await sql`select 1 / 0`.execute(tx).catch(() => {});
  });
  await expect(run).rejects.toThrow("rolled back");
  expect(await settings("swallowed")).toEqual([]);
});

test("a wait for a locked row is limited, and reads continue", async () => {
  await store.db.insertInto("setting").values({ name: "held", value: "" }).execute();
  const [holding, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const touch = (tx: Transaction<Tables>) =>
    tx.updateTable("setting").set({ value: "" }).where("name", "=", "held").execute();
  const holder = store.transaction(
    async (tx) => {
      await touch(tx);
      holding.resolve();
      await release.promise;
    },
    { within: 60_000 },
  );
  await holding.promise;
  await expectRefusedSoon(() => hasty.transaction(touch));
  expect(await settings("held")).toHaveLength(1);
  release.resolve();
  await holder;
});

test("a caller is refused soon when all connections are in use", async () => {
  const small = await testStore({ url, poolSize: 1, patience });
  const [holding, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const hold = async () => {
    holding.resolve();
    await release.promise;
  };
  const holder = small.transaction(hold, { within: 60_000 });
  await holding.promise;
  await expectRefusedSoon(
    () => small.transaction(async () => {}),
    () => small.db.selectFrom("setting").selectAll().execute(),
  );
  release.resolve();
  await holder;
});

test("a transaction can have more time", async () => {
  await hasty.transaction(async (tx) => void (await sql`select pg_sleep(0.6)`.execute(tx)), { within: 5000 });
});

test("a store that does not answer is refused soon, and used again when it answers", async () => {
  const proxy = await startProxy();
  const slow = await testStore({ url: proxy.url, poolSize: 2, patience });
  proxy.silence(true);
  await expectRefusedSoon(
    () => slow.transaction((tx) => tx.selectFrom("setting").selectAll().execute()),
    () => slow.db.selectFrom("setting").selectAll().execute(),
  );
  proxy.silence(false);
  expect(await slow.db.selectFrom("setting").selectAll().execute()).not.toEqual([]);
  await slow.transaction((tx) => tx.selectFrom("setting").selectAll().execute());
});

test.each(["begin", "the read", "commit"])("reads of a snapshot are given up when %s is not answered", async (what) => {
  const proxy = await startProxy();
  const slow = await testStore({ url: proxy.url, poolSize: 1, patience });
  const silenceAt = (now: string) => proxy.silence(now === what);
  silenceAt("begin");
  const run = slow.db.transaction().execute(async (tx) => {
    silenceAt("the read");
    await tx.selectFrom("setting").selectAll().execute();
    silenceAt("commit");
  });
  await expect(run).rejects.toMatchObject(away);
  proxy.silence(false);
  expect(await slow.db.selectFrom("setting").selectAll().execute()).not.toEqual([]);
});

test("when the answer to COMMIT is lost, the outcome is reported as unknown, and nothing is executed twice", async () => {
  const proxy = await startProxy();
  const cut = await testStore({ url: proxy.url, poolSize: 1 });
  let attempts = 0;
  proxy.cutAfter("commit");
  const run = cut.transaction(async (tx) => {
    attempts++;
    await tx.insertInto("setting").values({ name: "unknown", value: "" }).execute();
  });
  await expect(run).rejects.toMatchObject({
    ...away,
    message: expect.stringContaining("check whether the write happened"),
  });
  expect(attempts).toBe(1);
});

test("a slow COMMIT is awaited", async () => {
  const proxy = await startProxy();
  const slow = await testStore({ url: proxy.url, poolSize: 1, patience });
  const run = slow.transaction(async (tx) => {
    await tx.insertInto("setting").values({ name: "late", value: "" }).execute();
    proxy.silence(true);
  });
  await delay(patience + 200);
  proxy.silence(false);
  await run;
  expect(await settings("late")).toHaveLength(1);
});

/** A proxy between a store and its server; it can stop forwarding, or break the connection at a given statement. */
async function startProxy() {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-proxy-"));
  const host = new URL(url, "postgres://base").searchParams.get("host")!;
  const held: (() => void)[] = [];
  let silent = false;
  let word: string | undefined;
  const pass = (from: Socket, to: Socket, client: boolean) =>
    from.on("data", (octets) => {
      if (client && word !== undefined && octets.includes(word)) {
        to.write(octets);
        from.destroy();
      } else if (silent) held.push(() => to.write(octets));
      else to.write(octets);
    });
  const server = createServer((near) => {
    const far = connect(join(host, ".s.PGSQL.5432"));
    pass(near, far, true);
    pass(far, near, false);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on("error", () => {});
      one.on("close", () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(join(directory, ".s.PGSQL.5432"), resolve));
  onTestFinished(() => {
    server.close();
    rmSync(directory, { recursive: true });
  });
  return {
    url: url.replace(/host=[^&]*/, `host=${encodeURIComponent(directory)}`),
    silence(on: boolean) {
      silent = on;
      if (!on) for (const write of held.splice(0)) write();
    },
    cutAfter(text: string) {
      word = text;
    },
  };
}
