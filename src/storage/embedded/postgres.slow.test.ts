import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { silent } from "../../../test/store/store.ts";
import { newId } from "../../lib/ids.ts";
import { openStore } from "../db.ts";
import { type Postgres, runningPostgres, startPostgres } from "./postgres.ts";

const slow = { timeout: 60_000 };
const log = silent;
const parent = mkdtempSync(join(tmpdir(), "fairlead-postgres-"));
const directory = join(parent, "data");
let postgres: Postgres = await startPostgres({ directory, log });
const store = await openStore(postgres.url, { log });
afterAll(async () => {
  await store.close();
  await postgres.stop();
  rmSync(parent, { recursive: true });
});

describe("the embedded server", () => {
  test("is private: it has no TCP port, and only this user can access its directories", async () => {
    expect(statSync(parent).mode & 0o777).toBe(0o700);
    for (const name of ["store", "run"]) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o700);
    expect(postgres.url).toMatch(/^postgresql:\/\/\/fairlead\?host=/);
    expect(existsSync(join(directory, "run/.s.PGSQL.5432"))).toBe(true);
  });

  test(
    "is restarted within five seconds when its postmaster is killed, without loss of acknowledged writes",
    slow,
    async () => {
      for (const everyone of [false, true]) {
        const restarted = new Promise<void>((resolve) => postgres.onRestart(resolve));
        const writing = write();
        await delay(300);
        const pids = postgres.pids();
        for (const pid of everyone ? pids : pids.slice(0, 1)) process.kill(pid, "SIGKILL");
        const killed = performance.now();
        await restarted;
        await available();
        expect(performance.now() - killed).toBeLessThan(5000);
        await delay(200);
        const { acknowledged, failures } = await writing.end();
        const kept = await store.db.selectFrom("setting").select("name").execute();
        expect(acknowledged.filter((name) => !kept.some((row) => row.name === name))).toEqual([]);
        expect(acknowledged.length).toBeGreaterThan(10);
        expect([...new Set(failures)]).toEqual(failures.length > 0 ? ["unavailable"] : []);
      }
    },
  );

  test("survives the loss of one backend", slow, async () => {
    const [postmaster, ...before] = postgres.pids();
    process.kill(before.at(-1)!, "SIGKILL");
    // the postmaster ends all other backends too, and answers again afterwards
    await expect.poll(() => postgres.pids().filter((pid) => before.includes(pid))).toEqual([]);
    await available();
    expect(postgres.pids()[0]).toBe(postmaster);
  });

  test("stops in order, and reports that it is down", slow, async () => {
    await postgres.stop();
    expect(postgres.pids()).toEqual([]);
    expect(await runningPostgres(directory)).toBeUndefined();
    const begin = performance.now();
    await expect(store.db.selectFrom("setting").selectAll().execute()).rejects.toMatchObject({ status: 503 });
    await expect(store.transaction(async () => {})).rejects.toMatchObject({ status: 503 });
    expect(performance.now() - begin).toBeLessThan(4000);
    postgres = await startPostgres({ directory, log });
    await available();
  });
});

test("a server whose supervisor was killed is taken over, watched and stopped", slow, async () => {
  const orphaned = join(parent, "orphaned");
  const pid = await startAndDie(orphaned);
  const own = await startPostgres({ directory: orphaned, log });
  expect(own.pids()[0]).toBe(pid);
  expect((await runningPostgres(orphaned))?.url).toBe(own.url);
  const restarted = new Promise<void>((resolve) => own.onRestart(resolve));
  process.kill(pid, "SIGKILL");
  await restarted;
  expect(own.pids()[0]).not.toBe(pid);
  await own.stop();
  expect(own.pids()).toEqual([]);
});

test("a server that cannot start gives the reason", slow, async () => {
  const broken = join(parent, "broken");
  const own = await startPostgres({ directory: broken, log });
  await own.stop();
  rmSync(join(broken, "store/global/pg_control"));
  await expect(startPostgres({ directory: broken, log })).rejects.toThrow(/did not start.*pg_control/);
});

/** Starts a server in another process, which is then killed; returns the postmaster's process id. */
async function startAndDie(data: string): Promise<number> {
  const script = `
    const { startPostgres } = await import(${JSON.stringify(join(import.meta.dirname, "postgres.ts"))});
    const { newLog } = await import(${JSON.stringify(join(import.meta.dirname, "../../lib/log.ts"))});
    await startPostgres({ directory: ${JSON.stringify(data)}, log: newLog("silent", "test") });
    console.log("up");`;
  const supervisor = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(supervisor.stdout, "data");
  supervisor.kill("SIGKILL");
  await once(supervisor, "exit");
  return Number(readFileSync(join(data, "store/postmaster.pid"), "utf8").split("\n")[0]);
}

/** Starts writers that continue through all failures, until `end` is called or the test ends. */
function write() {
  const acknowledged: string[] = [];
  const failures: unknown[] = [];
  let ended = false;
  const one = async () => {
    while (!ended) {
      const name = newId();
      try {
        await store.transaction((tx) => tx.insertInto("setting").values({ name, value: "" }).execute());
        acknowledged.push(name);
      } catch (error) {
        failures.push((error as { code?: unknown }).code);
        // a store that refuses at once would block the event loop
        await delay(1);
      }
    }
  };
  const writers = Promise.all([one(), one(), one(), one()]);
  const end = async () => {
    ended = true;
    await writers;
    return { acknowledged, failures };
  };
  onTestFinished(async () => void (await end()));
  return { end };
}

async function available() {
  for (;;) {
    const rows = await store.db
      .selectFrom("setting")
      .select("name")
      .limit(1)
      .execute()
      .catch(() => undefined);
    if (rows) return;
    await delay(10);
  }
}
