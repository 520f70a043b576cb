/** The store: typed tables, reads, and the transaction that every write uses. */
import { Kysely } from "kysely";
import type pg from "pg";
import { newId } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import { invalid, Problem, unavailable } from "../lib/problem.ts";
import { BulkConnection } from "./connection/bulk.ts";
import { openPool, Statements, StoreDialect } from "./connection/connection.ts";
import { isOfFullDisk } from "./connection/failure.ts";
import { type Listener, listen } from "./connection/listen.ts";
import { Reads } from "./connection/reads.ts";
import { ConnectionShares } from "./connection/shares.ts";
import { type Run, type TransactionOptions, transactions } from "./connection/transaction.ts";
import { Fence } from "./fence/fence.ts";
import { takeLease } from "./lease.ts";
import { assertKnownSchema, migrate } from "./migrate.ts";
import type { Tables } from "./tables/index.ts";

export interface Store {
  /** The server is embedded: only one control process and the operator's commands use it. */
  readonly isEmbedded: boolean;
  /** Milliseconds after which a statement or a transaction is given up. */
  readonly patience: number;
  /** The name of this process in leases. */
  readonly holder: string;
  /** For reads, and for writes of one statement. A failure of the store is a Problem. */
  readonly db: Kysely<Tables>;
  /** Like `db`, for reads of an account, or of a network whose caller is not known, which wait for its share of the connections. */
  readsOf(account_id: string): Kysely<Tables>;
  /**
   * Runs and commits a transaction. Retries it, and calls `run` again, when it lost against another transaction or its
   * connection was lost before COMMIT. Statements whose order does not matter may be sent together (Promise.all), which
   * saves round trips.
   */
  transaction<T>(run: Run<T>, options?: TransactionOptions): Promise<T>;
  /** Calls `onNews` for each notification on these channels, and when the connection is lost. */
  listen(channels: readonly string[], onNews: () => void): Promise<Listener>;
  /** Opens a separate connection, which the caller must close. */
  openBulk(): Promise<BulkConnection>;
  /** Throws a Problem when the store does not take a write. Writes at most once a second. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly log: Log;
  readonly poolSize?: number;
  /** Milliseconds after which a statement or a transaction is given up. */
  readonly patience?: number;
  /** The server is embedded: it runs on this machine and serves only this installation. */
  readonly isEmbedded?: boolean | undefined;
  /** The name of this process in leases; a new one when left out. */
  readonly holder?: string | undefined;
  /** Whether statements must be restricted to an account or state a reason; false only in tests. */
  readonly isFenced?: boolean;
}

/** Connections in the pool. */
export const defaultPoolSize = 20;
/** Less than two seconds, so that a caller has the refusal within two. */
const defaultPatience = 1800;
const migrationPatience = 600_000;
/** Milliseconds between two writes that only show whether writes are possible. */
const pingEvery = 1000;
/** Milliseconds for which the store counts as full after a write found no room. */
const fullFor = 10_000;

/** Opens the store and migrates its schema. Throws a Problem when that is not possible. */
export async function openStore(url: string, options: StoreOptions): Promise<Store> {
  await bringUpToDate(url, options.log);
  return storeAt(url, options);
}

/** Opens a store whose schema is current. */
export function storeAt(url: string, options: StoreOptions): Store {
  const { log, poolSize = defaultPoolSize, patience = defaultPatience, isEmbedded = false, isFenced = true } = options;
  let refused = "";
  const verify = (client: pg.PoolClient) =>
    assertKnownSchema(client).catch((error: unknown) => {
      if (error instanceof Problem && error.message !== refused) log.error(error.message);
      if (error instanceof Problem) refused = error.message;
      throw error;
    });
  const pool = openPool(url, { log, size: poolSize, patience, verify, isEmbedded });
  const statements = new Statements(isFenced ? new Fence() : undefined);
  const dialect = new StoreDialect(pool, statements, patience);
  const db = new Kysely<Tables>({ dialect });
  const shares = new ConnectionShares(poolSize, patience);
  const reads = new Reads(dialect, shares, db.getExecutor());
  const transact = transactions({ pool, db, dialect, statements, shares, patience, isEmbedded });
  let full: { readonly error: unknown; readonly until: number } | undefined;
  return {
    isEmbedded,
    patience,
    holder: options.holder ?? newId(),
    db,
    readsOf: (account_id) => reads.of(account_id),
    async transaction(run, given) {
      try {
        return await transact(run, given);
      } catch (error) {
        if (isOfFullDisk(error)) full = { error, until: performance.now() + fullFor };
        throw error;
      }
    },
    listen: (channels, onNews) => listen(url, channels, onNews),
    openBulk: () => BulkConnection.open(url, isEmbedded),
    ping: atMostEvery(pingEvery, async () => {
      // a write of one row may still find room
      if (full && performance.now() < full.until) throw full.error;
      await takeLease(db, "ping", "ping", pingEvery);
    }),
    async close() {
      await db.destroy();
      // Kysely does not end the pool if only transactions used it
      if (!pool.ending) await pool.end();
    },
  };
}

/**
 * Migrates the schema with separate connections, since a migration can take longer than any caller waits. Throws a
 * Problem when that is not possible.
 */
export async function bringUpToDate(url: string, log: Log): Promise<void> {
  const pool = openPool(url, { log, size: 2, patience: migrationPatience });
  const db = new Kysely<Tables>({ dialect: new StoreDialect(pool, new Statements(), migrationPatience) });
  try {
    await migrate(db, log);
  } catch (error) {
    throw unopened(url, error);
  } finally {
    await db.destroy();
  }
}

/** Returns a function that runs `ask` at most once in so many milliseconds, and otherwise gives the last outcome. */
function atMostEvery(milliseconds: number, ask: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> | undefined;
  let next = 0;
  return () => {
    if (last && performance.now() < next) return last;
    next = performance.now() + milliseconds;
    last = ask();
    last.catch(() => {});
    return last;
  };
}

/** Adds the store's address, without the password, to errors of connecting to it. */
export function unopened(url: string, error: unknown): unknown {
  const cause = error instanceof Problem && error.cause ? error.cause : error;
  if (!(cause instanceof Error) || !("code" in cause)) return error;
  if (cause.code === refusedRight) return invalid(rightless(url, cause.message));
  if (!isUnreachable(cause.code)) return error;
  return unavailable(`the store${locationOf(url)} cannot be opened: ${cause.message}`);
}

/** PostgreSQL's code for a missing right. */
const refusedRight = "42501";

const rightless = (url: string, reason: string) =>
  `the user of the store${locationOf(url)} needs more rights (${reason}): make it the owner of the database, with ` +
  '"alter database DATABASE owner to USER", or let it use and create in the schema "public"';

function locationOf(url: string): string {
  if (!URL.canParse(url)) return "";
  const { hostname, port, pathname, searchParams } = new URL(url);
  const host = hostname || searchParams.get("host") || "localhost";
  return ` at ${host}${port && `:${port}`}${pathname}`;
}

/** Errors of the network, and of PostgreSQL when it refuses a connection. */
const isUnreachable = (code: unknown) => /^(E[A-Z_]+|28...|3D000|53300|57P03|08...)$/.test(String(code));
