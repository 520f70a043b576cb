/** The one way to write: a READ COMMITTED transaction, tried again where that is safe, within a bound of time. */
import { setTimeout as delay } from "node:timers/promises";
import { type ConnectionProvider, type DatabaseConnection, type Dialect, type Kysely, Transaction } from "kysely";
import type pg from "pg";
import { unavailable } from "../lib/problem.ts";
import { cutOff, type StatementNames, StoreConnection } from "./connection.ts";
import { isGone, isLost, isRefusal, problemOf } from "./failure.ts";
import type { Tables } from "./tables.ts";

export interface TransactionOptions {
  /** Milliseconds within which the whole must be done, waits and repetitions included. */
  readonly within?: number;
}

export type Run<T> = (tx: Transaction<Tables>) => Promise<T>;

const mostAttempts = 8;

/** Makes the function that runs transactions on a pool; `patience` is what the pool's connections are set to. */
export function transactions(options: {
  readonly pool: pg.Pool;
  readonly db: Kysely<Tables>;
  readonly dialect: Dialect;
  readonly names: StatementNames;
  readonly patience: number;
}) {
  const { pool, db, dialect, names, patience } = options;
  const props = { config: { dialect }, driver: dialect.createDriver(), dialect };

  function transactionOn(client: pg.PoolClient): Transaction<Tables> {
    const provider = new PassingProvider(new StoreConnection(client, names));
    return new Transaction<Tables>({ ...props, executor: db.getExecutor().withConnectionProvider(provider) });
  }

  async function attempt<T>(run: Run<T>, within: number, deadline: number): Promise<T> {
    const client = await pool.connect();
    const one = new Attempt(client);
    const { promise: expired, reject } = Promise.withResolvers<never>();
    const left = Math.max(1, deadline - performance.now());
    const timer = setTimeout(() => {
      cutOff(client);
      reject(one.committing ? outcomeUnknown() : unavailable("the store did not answer in time"));
    }, left);
    try {
      const limits = within === patience ? undefined : within;
      return await Promise.race([one.run(() => run(transactionOn(client)), limits), expired]);
    } finally {
      clearTimeout(timer);
      client.release();
    }
  }

  return async function transaction<T>(run: Run<T>, { within = patience }: TransactionOptions = {}): Promise<T> {
    const deadline = performance.now() + within;
    for (let count = 1; ; count++) {
      try {
        return await attempt(run, within, deadline);
      } catch (error) {
        const pause = Math.random() * Math.min(250, 4 * 2 ** count);
        const again = (isLost(error) || isGone(error)) && count < mostAttempts && performance.now() + pause < deadline;
        if (!again) throw problemOf(error);
        await delay(pause);
      }
    }
  };
}

/** One transaction on one connection, from BEGIN to COMMIT. */
class Attempt {
  /** Once COMMIT is sent, only the store knows how it ends. */
  committing = false;
  #client: pg.PoolClient;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  async run<T>(body: () => Promise<T>, limits: number | undefined): Promise<T> {
    try {
      // not awaited: the first statement follows it on the wire
      const begun = this.#client.query(beginText(limits));
      begun.catch(() => {});
      const result = await body();
      await begun;
      await this.#commit();
      return result;
    } catch (error) {
      if (!this.committing) await this.#client.query("rollback").catch(() => cutOff(this.#client));
      throw error;
    }
  }

  async #commit() {
    this.committing = true;
    const { command } = await this.#client.query("commit").catch((error: unknown) => {
      throw isRefusal(error) ? error : outcomeUnknown();
    });
    if (command !== "COMMIT") throw new Error("a statement failed and its failure was not passed on: rolled back");
  }
}

const beginText = (limits: number | undefined) =>
  limits === undefined
    ? "begin"
    : `begin; set local statement_timeout = ${limits}; set local lock_timeout = ${limits};
       set local idle_in_transaction_session_timeout = ${limits}`;

const outcomeUnknown = () =>
  unavailable("the store went away while it confirmed the write: look whether it was done before sending it again");

/** Hands the same connection to every statement at once: on the wire they keep their order. */
class PassingProvider implements ConnectionProvider {
  #connection: DatabaseConnection;

  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }

  provideConnection<T>(consumer: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    return consumer(this.#connection);
  }
}
