/** Stores for tests: real, empty, of the current schema, each a separate database on the run's single server. */

import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { inject } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { newLog } from "../../src/lib/log.ts";
import { openStore, type Store, type StoreOptions, storeAt } from "../../src/storage/db.ts";
import { startPostgres } from "../../src/storage/embedded/postgres.ts";
import { atEnd } from "../machine/at-end.ts";
import { once } from "../machine/once.ts";
import { memory } from "./store-server.ts";

export const silent = newLog("silent", "test");

const template = "fairlead_template";

export interface TestStore extends Store {
  readonly url: string;
}

/** A store that sees the rows of all accounts, and is closed after the test file's last test: a fresh one, or a second one on the database at `url`. */
export async function testStore(options: Partial<StoreOptions> & { url?: string } = {}): Promise<TestStore> {
  const { url = await testDatabase(), ...rest } = options;
  const store = storeAt(url, { log: silent, isFenced: false, ...rest });
  atEnd(() => store.close());
  return { ...store, url };
}

/** Waits until `many` transactions wait for other transactions' locks. */
export async function lockAwaited({ db }: Pick<Store, "db">, many = 1): Promise<void> {
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await waiting.execute(db)).rows.length < many) await delay(5);
}

/** Creates a database with the current schema; returns its address. */
export async function testDatabase(): Promise<string> {
  const server = await serverUrl();
  const name = `test_${newId()}`;
  // in memory, files are copied in half the time of pages; on a disk, their checkpoints would take longer
  const strategy = inject("storeDirectory").startsWith(memory) ? "file_copy" : "wal_log";
  await administrate(server, `create database ${name} template ${template} strategy ${strategy}`);
  return databaseOf(server, name);
}

/** Creates a database without tables; returns its address. */
export async function emptyDatabase(): Promise<string> {
  const server = await serverUrl();
  const name = `empty_${newId()}`;
  await administrate(server, `create database ${name} strategy wal_log`);
  return databaseOf(server, name);
}

const databaseOf = (url: string, name: string) => url.replace("///fairlead?", `///${name}?`);

/** The first caller of the run starts the server and makes the template. */
const serverUrl = () => once(inject("storeDirectory"), "server", () => startServer(inject("storeDirectory")));

/** Data need not be durable, and no database lives long enough for autovacuum, which would visit hundreds of them. */
const settings = ["autovacuum = off", "checkpoint_timeout = '1h'", "bgwriter_lru_maxpages = 0"];

async function startServer(directory: string): Promise<string> {
  const { url } = await startPostgres({ directory, log: silent });
  for (const setting of settings) await administrate(url, `alter system set ${setting}`);
  await administrate(url, "select pg_reload_conf()");
  await administrate(url, `create database ${template}`);
  await (await openStore(databaseOf(url, template), { log: silent, poolSize: 1 })).close();
  return url;
}

async function administrate(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
