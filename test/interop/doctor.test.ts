/** `fairlead doctor` with Debian's PostgreSQL and PgBouncer: a standby, a pooler of transactions, missing rights. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ConnectedStore } from "../../src/cli/commands/doctor/store.ts";
import { checkStore } from "../../src/cli/commands/doctor/store-check.ts";
import { bringUpToDate } from "../../src/storage/db.ts";
import { startPooler } from "../operate/pooler.ts";
import { StoreServer } from "../operate/server.ts";
import { silent } from "../store/store.ts";

const directory = mkdtempSync(join(tmpdir(), "fairlead-doctor-"));
const here = { mayBeAlone: true, isHeld: false, supervisor: undefined };
let primary: StoreServer;

const urlOf = (port: number, user = "fairlead") => `postgresql://${user}@127.0.0.1:${port}/fairlead`;

async function examine(url: string): Promise<string[]> {
  const store = ConnectedStore.open(url, false);
  const found = await checkStore({ data: directory, databaseUrl: url }, store, here);
  await (await store).close();
  return found.map(({ state, text }) => `${state}: ${text}`);
}

beforeAll(async () => {
  primary = await StoreServer.make(directory);
  await bringUpToDate(urlOf(primary.port), silent);
});

afterAll(async () => {
  await primary.kill();
  rmSync(directory, { recursive: true, force: true });
});

test("a standby is failed, and its primary says how far behind it is", async () => {
  const standby = await primary.standby("second", primary.port);
  try {
    expect(await examine(urlOf(standby.port))).toContain("failed: the server is a standby, which takes no writes");
    await expect
      .poll(() => examine(urlOf(primary.port)))
      .toContain("ok: the standby second is streaming, async, and 0 MiB behind");
    await primary.sql("alter system set synchronous_standby_names = 'elsewhere'");
    await primary.sql("select pg_reload_conf()");
    await expect
      .poll(() => examine(urlOf(primary.port)))
      .toContain("failed: synchronous_standby_names is 'elsewhere', and no such standby is connected: writes wait");
  } finally {
    await primary.sql("alter system reset synchronous_standby_names");
    await primary.sql("select pg_reload_conf()");
    await standby.kill();
  }
});

test("a pooler of transactions is failed, and one of sessions is ok", async () => {
  const said = "failed: a pooler lends connections for single transactions, so notifications are lost";
  for (const mode of ["transaction", "session"] as const) {
    const pooler = await startPooler(primary.port, directory, mode);
    try {
      expect((await examine(urlOf(pooler.port))).includes(said)).toBe(mode === "transaction");
    } finally {
      await pooler.end();
    }
  }
});

test("a user without rights is failed", async () => {
  await primary.sql("create user stranger");
  await primary.sql("grant select, insert, update on all tables in schema public to stranger");
  const found = await examine(urlOf(primary.port, "stranger"));
  expect(found).toContain("failed: stranger may not create tables in the schema public");
  expect(found).toContainEqual(
    expect.stringMatching(/^failed: \d+ tables, such as account, do not belong to stranger$/),
  );
});
