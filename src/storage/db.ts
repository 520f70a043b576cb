/** The store: typed tables, plain reads, and the transaction that every write goes through. */
import { Kysely, sql } from "kysely";
import type { Log } from "../lib/log.ts";
import { Problem, unavailable } from "../lib/problem.ts";
import { BulkConnection } from "./connection/bulk.ts";
import { openPool, Statements, StoreDialect } from "./connection/connection.ts";
import { type Listener, listen } from "./connection/listen.ts";
import { type Run, type TransactionOptions, transactions } from "./connection/transaction.ts";
import { Fence } from "./fence/fence.ts";
import { migrate } from "./migrate.ts";
import type { Tables } from "./tables/index.ts";

export interface Store {
  /** Milliseconds after which a statement or a transaction is given up. */
  readonly patience: number;
  /** For reads, and for writes of one statement. A failure of the store is a Problem. */
  readonly db: Kysely<Tables>;
  /**
   * Runs and commits a transaction, again when it lost against another one or its connection went before COMMIT; `run`
   * may thus be called several times. Statements whose order does not matter may be sent together (Promise.all): that
   * saves waits.
   */
  transaction<T>(run: Run<T>, options?: TransactionOptions): Promise<T>;
  /** Calls `notice` for each notification on these channels, until the connection is lost. Not every engine has it. */
  listen(channels: readonly string[], notice: () => void): Promise<Listener>;
  /** A connection of its own, to be closed. */
  openBulk(): Promise<BulkConnection>;
  /** Throws a Problem when the store does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly log: Log;
  readonly poolSize?: number;
  /** Milliseconds after which a statement or a transaction is given up. */
  readonly patience?: number;
  /** The server runs on this machine for us alone. */
  readonly isOurs?: boolean | undefined;
  /** Whether statements must be held to an account or say why not: true for all but tests, which look at everything. */
  readonly isFenced?: boolean;
}

/** Below two seconds with the time that a refusal takes: a caller is told soon that the store is away. */
const defaultPatience = 1800;
const migrationPatience = 600_000;

/** Opens the store and brings its schema to this version. Throws a Problem when that cannot be. */
export async function openStore(url: string, options: StoreOptions): Promise<Store> {
  await bringUpToDate(url, options.log);
  return storeAt(url, options);
}

/** A store whose schema is that of this version. */
export function storeAt(url: string, options: StoreOptions): Store {
  const { log, poolSize = 20, patience = defaultPatience, isOurs = false, isFenced = true } = options;
  const pool = openPool(url, { log, size: poolSize, patience });
  const statements = new Statements(isFenced ? new Fence() : undefined);
  const dialect = new StoreDialect(pool, statements, patience);
  const db = new Kysely<Tables>({ dialect });
  return {
    patience,
    db,
    transaction: transactions({ pool, db, dialect, statements, patience, isOurs }),
    listen: (channels, notice) => listen(url, channels, notice),
    openBulk: () => BulkConnection.open(url, isOurs),
    ping: async () => void (await sql`select 1`.execute(db)),
    async close() {
      await db.destroy();
      // what ran in transactions alone left no trace in Kysely, which then ends nothing
      if (!pool.ending) await pool.end();
    },
  };
}

/**
 * Brings the schema to this version, with connections of its own: a change may take longer than any caller would wait.
 * Throws a Problem when that cannot be.
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

/** A way to the store that does not lead there is named, without the password in its address. */
function unopened(url: string, error: unknown): unknown {
  const cause = error instanceof Problem && error.cause ? error.cause : error;
  if (!(cause instanceof Error) || !("code" in cause) || !isUnreachable(cause.code)) return error;
  return unavailable(`the store${placeOf(url)} cannot be opened: ${cause.message}`);
}

function placeOf(url: string): string {
  if (!URL.canParse(url)) return "";
  const { hostname, port, pathname, searchParams } = new URL(url);
  const host = hostname || searchParams.get("host") || "localhost";
  return ` at ${host}${port && `:${port}`}${pathname}`;
}

/** Errors of the network, and of PostgreSQL about who may connect to which database. */
const isUnreachable = (code: unknown) => /^(E[A-Z_]+|28...|3D000|53300|57P03|08...)$/.test(String(code));
