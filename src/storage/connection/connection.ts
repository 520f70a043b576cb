/** Connections to PostgreSQL: one pool, with prepared and pipelined statements. */

import {
  CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import pg from "pg";
import type { Log } from "../../lib/log.ts";
import { drop, lowerServer, types } from "../../sync/postgres/connection.ts";
import type { Fence } from "../fence/fence.ts";
import { isReadOnly, problemOf } from "./failure.ts";
import { Statement } from "./statement.ts";

export interface PoolOptions {
  readonly log: Log;
  readonly size: number;
  /** The most milliseconds for a statement, a wait for a lock or a wait for a connection. */
  readonly patience: number;
  /** Called with each new connection before its first use: if this rejects, so does whoever wanted the connection. */
  readonly verify?: (client: pg.PoolClient) => Promise<void>;
  /** Whether the server is our own: its processes give way to threads that answer. */
  readonly isEmbedded?: boolean;
}

const longestConnect = 10_000;
/** The most distinct statement texts that are prepared; further ones are parsed each time. */
const mostPrepared = 400;

/**
 * Every statement can use an index. Without these settings a plan made for a small table would scan all of the table,
 * and would still be used when the table has grown.
 */
const preferIndexes = "set random_page_cost = 1.1; set enable_seqscan = off; set jit = off";

/**
 * Returns statements that limit a statement, a wait for a lock, and a pause in a transaction, in milliseconds. They are
 * not parameters of the connection's start, which poolers such as PgBouncer refuse.
 */
export const timeouts = (patience: number, pause: number): string =>
  `set statement_timeout = ${patience}; set lock_timeout = ${patience}; set idle_in_transaction_session_timeout = ${pause}`;

/** The prefix of statements that are planned each time: the right order of their joins depends on table sizes. */
export const plannedEachTime = "/* planned each time */ ";

export function openPool(url: string, { log, size, patience, verify, isEmbedded = false }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    types,
    max: size,
    pipeline: true,
    keepAlive: true,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: Math.min(patience, longestConnect),
    application_name: "fairlead",
    ...(verify && {
      verify: (client: pg.PoolClient, done: (error?: Error) => void) => void verify(client).then(() => done(), done),
    }),
  });
  pool.on("connect", (client) => {
    // without a listener, the loss of a used connection would end the process; the statements on it report the failure
    client.on("error", () => {});
    if (isEmbedded) lowerServer(client, "calls");
    // a process that hangs in a transaction must not keep its locks forever
    client.query(timeouts(patience, patience + 1000)).catch((error: unknown) => {
      log.error({ reason: String(error) }, "a connection to the store has no limits of time, and is dropped");
      drop(client);
    });
    // some engines do not know these settings
    client.query(preferIndexes).catch(() => {});
  });
  pool.on("error", (error) => log.debug({ reason: error.message }, "an idle connection to the store ended"));
  return pool;
}

/** Closes a connection immediately; the store rolls back its transaction. */
export const cutOff = (client: pg.PoolClient) => streamOf(client).destroy();

/** Returns a connection to the pool, which discards it if it was cut off or is `spent`. */
export const release = (client: pg.PoolClient, spent = false) => client.release(spent || streamOf(client).destroyed);

/** Sends the text of a statement. */
export const send = (client: pg.PoolClient, text: string): Promise<pg.QueryResult> => gathering(client).query(text);

/** The client, whose statements of this event-loop turn share one write, which wakes the server once. */
function gathering(client: pg.PoolClient): pg.PoolClient {
  const stream = streamOf(client);
  if (stream.writableCorked === 0) {
    stream.cork();
    process.nextTick(() => stream.uncork());
  }
  return client;
}

/** The pool's clients are full clients, though its type does not say so. */
const streamOf = (client: pg.PoolClient) => (client as pg.PoolClient & pg.Client).connection.stream;

/** Facts about statements by their texts: whether they may be sent, and their names once prepared. */
export class Statements {
  readonly #fence: Fence | undefined;
  #names = new Map<string, string>();

  /** Without a fence all statements may be sent. */
  constructor(fence?: Fence) {
    this.#fence = fence;
  }

  /** Throws when the statement must not be sent, because it is not restricted to an account. */
  assertRestricted(text: string): void {
    this.#fence?.assertRestricted(text);
  }

  /** Returns the name of the prepared statement; undefined for statements that are not prepared. */
  nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (text.startsWith(plannedEachTime)) return undefined;
    if (known !== undefined || this.#names.size >= mostPrepared) return known;
    const name = `s${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }
}

/** A pooled client with Kysely's interface. Statements without parameters are not prepared. */
export class StoreConnection implements DatabaseConnection {
  readonly client: pg.PoolClient;
  #statements: Statements;

  constructor(client: pg.PoolClient, statements: Statements) {
    this.client = client;
    this.#statements = statements;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    this.#statements.assertRestricted(sql);
    const name = parameters.length > 0 ? this.#statements.nameOf(sql) : undefined;
    const statement = new Statement(sql, parameters, name);
    gathering(this.client).query(statement);
    try {
      const { command, rowCount, rows } = await statement.result;
      const counts = command === "INSERT" || command === "UPDATE" || command === "DELETE";
      return counts ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
    } catch (error) {
      if (isReadOnly(error)) cutOff(this.client);
      throw error;
    }
  }

  // biome-ignore lint/correctness/useYield: it always throws
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error("rows cannot be streamed: read pages by key");
  }
}

/**
 * A connection outside transactions, which is cut off when the store answers none of its statements for `patience`
 * milliseconds. Failures become Problems.
 */
class SingleStatements extends StoreConnection {
  readonly #patience: number;
  #unanswered = 0;
  #late: NodeJS.Timeout | undefined;

  constructor(client: pg.PoolClient, statements: Statements, patience: number) {
    super(client, statements);
    this.#patience = patience;
  }

  override async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    this.#unanswered++;
    this.#late ??= setTimeout(() => cutOff(this.client), this.#patience);
    try {
      return await super.executeQuery<R>(query);
    } catch (error) {
      throw problemOf(error);
    } finally {
      this.#answered();
    }
  }

  #answered() {
    if (--this.#unanswered > 0) this.#late?.refresh();
    else {
      clearTimeout(this.#late);
      this.#late = undefined;
    }
  }
}

/** Kysely's dialect over our pool. Migrations are locked by a lease row, not by Kysely (see migrate.ts). */
export class StoreDialect implements Dialect {
  readonly #pool: pg.Pool;
  readonly #statements: Statements;
  readonly #patience: number;

  constructor(pool: pg.Pool, statements: Statements, patience: number) {
    this.#pool = pool;
    this.#statements = statements;
    this.#patience = patience;
  }

  createDriver(): Driver {
    const run = (text: string) => async (connection: DatabaseConnection) => {
      await connection.executeQuery(CompiledQuery.raw(text));
    };
    const rollback = run("rollback");
    return {
      init: async () => {},
      acquireConnection: async () => {
        try {
          return new SingleStatements(await this.#pool.connect(), this.#statements, this.#patience);
        } catch (error) {
          throw problemOf(error);
        }
      },
      releaseConnection: async (connection) => release(clientOf(connection)),
      beginTransaction: run("begin"),
      commitTransaction: run("commit"),
      // keeps the original error when the rollback fails because the connection is gone
      rollbackTransaction: (connection) => rollback(connection).catch(() => void cutOff(clientOf(connection))),
      destroy: () => this.#pool.end(),
    };
  }

  createQueryCompiler() {
    return new PostgresQueryCompiler();
  }

  createAdapter() {
    return new LockFreeAdapter();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new PostgresIntrospector(db);
  }
}

class LockFreeAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

const clientOf = (connection: DatabaseConnection) => (connection as StoreConnection).client;
