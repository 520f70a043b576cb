/** Runs every write: a READ COMMITTED transaction, which is retried where that is safe, within a time limit. */
import { setTimeout as delay } from "node:timers/promises";
import { type Compilable, type CompiledQuery, type Dialect, type Kysely, Transaction } from "kysely";
import type pg from "pg";
import { type Problem, unavailable } from "../../lib/problem.ts";
import { lowerServer } from "../../sync/postgres/connection.ts";
import type { Tables } from "../tables/index.ts";
import { cutOff, release, type Statements, StoreConnection, send } from "./connection.ts";
import { isGone, isLost, isRefusal, isUnsent, problemOf } from "./failure.ts";
import type { ConnectionShares, TransactionShare } from "./shares.ts";

export interface TransactionOptions extends Pick<TransactionShare, "isExclusive" | "isLong"> {
  /** The account whose share of the connections the transaction uses; the service itself when left out. */
  readonly account_id?: string | undefined;
  /** Milliseconds within which COMMIT must be reached, including waits and retries. */
  readonly within?: number;
  /** Milliseconds to wait for a lock; default: `within`. */
  readonly lockWithin?: number | undefined;
  /** Moves much data: runs at a lower priority on an embedded server. */
  readonly isLarge?: boolean;
}

export type Run<T> = (tx: Transaction<Tables>) => Promise<T>;

const mostAttempts = 8;
/** Milliseconds to wait for COMMIT after the deadline: a slow disk is likelier than a lost store. */
const confirmedWithin = 5000;

/** A transaction with its attempt. A WeakMap from one to the other would keep both from being collected while they are young. */
class OwnTransaction extends Transaction<Tables> {
  attempt?: Attempt;
}

/**
 * Sends a statement whose result the transaction does not need, and does not wait for it before COMMIT. When it fails,
 * nothing is committed and the transaction fails with its error. Only inside `Store.transaction`.
 */
export function sendLast(tx: Transaction<Tables>, statement: Compilable | CompiledQuery): void {
  const attempt = tx instanceof OwnTransaction ? tx.attempt : undefined;
  if (!attempt) throw new Error("this transaction was not begun by Store.transaction");
  attempt.sendLast("sql" in statement ? statement : statement.compile());
}

/** Returns a function that runs transactions on a pool; `patience` is the timeout of the pool's connections. */
export function transactions(options: {
  readonly pool: pg.Pool;
  readonly db: Kysely<Tables>;
  readonly dialect: Dialect;
  readonly statements: Statements;
  readonly shares: ConnectionShares;
  readonly patience: number;
  readonly isEmbedded: boolean;
}) {
  const { pool, db, dialect, statements, shares, patience, isEmbedded } = options;
  const props = { config: { dialect }, driver: dialect.createDriver(), dialect };

  async function attempt<T>(run: Run<T>, begin: string, deadline: number, isLowered: boolean): Promise<T> {
    const client = await pool.connect();
    const connection = new StoreConnection(client, statements);
    const executor = db.getExecutor().withConnectionProvider({ provideConnection: (use) => use(connection) });
    const one = new Attempt(connection, new OwnTransaction({ ...props, executor }));
    const { promise: expired, reject } = Promise.withResolvers<never>();
    const giveUp = (problem: Problem) => {
      cutOff(client);
      reject(problem);
    };
    let timer = setTimeout(
      () => {
        if (one.committing) timer = setTimeout(() => giveUp(outcomeUnknown()), confirmedWithin);
        else giveUp(unavailable("the store did not answer in time"));
      },
      Math.max(1, deadline - performance.now()),
    );
    try {
      if (isLowered) lowerServer(client, "bulk");
      return await Promise.race([one.run(run, begin), expired]);
    } finally {
      clearTimeout(timer);
      release(client, isLowered);
    }
  }

  async function untilCommitted<T>(run: Run<T>, options: TransactionOptions): Promise<T> {
    const { within = patience, lockWithin = within, isLarge = false } = options;
    const begin = beginText(within === patience ? undefined : within, lockWithin === patience ? undefined : lockWithin);
    const deadline = performance.now() + within;
    for (let count = 1; ; count++) {
      try {
        return await attempt(run, begin, deadline, isLarge && isEmbedded);
      } catch (error) {
        const pause = Math.random() * Math.min(250, 4 * 2 ** count);
        const again = (isLost(error) || isGone(error)) && count < mostAttempts && performance.now() + pause < deadline;
        if (!again) throw problemOf(error);
        await delay(pause);
      }
    }
  }

  return function transaction<T>(run: Run<T>, options: TransactionOptions = {}): Promise<T> {
    const { account_id, within = patience, isExclusive, isLong } = options;
    const attempted = () => untilCommitted(run, options);
    if (account_id === undefined) return attempted();
    return shares.transaction({ account_id, within, isExclusive, isLong }, attempted);
  };
}

/** One transaction on one connection, from BEGIN to COMMIT. */
class Attempt {
  /** True once COMMIT is sent: then only the store knows the outcome. */
  committing = false;
  #connection: StoreConnection;
  #tx: OwnTransaction;
  #last: Promise<unknown>[] = [];

  constructor(connection: StoreConnection, tx: OwnTransaction) {
    this.#connection = connection;
    this.#tx = tx;
    tx.attempt = this;
  }

  async run<T>(body: Run<T>, beginning: string): Promise<T> {
    const { client } = this.#connection;
    try {
      // BEGIN is not awaited: the first statement follows it on the wire
      const begun = send(client, beginning);
      begun.catch(() => {});
      const result = await body(this.#tx);
      await this.#commit();
      await begun;
      return result;
    } catch (error) {
      if (!this.committing) await send(client, "rollback").catch(() => cutOff(client));
      throw error;
    }
  }

  sendLast(query: CompiledQuery) {
    const sent = this.#connection.executeQuery(query);
    sent.catch(() => {});
    this.#last.push(sent);
  }

  /** Commits. PostgreSQL answers ROLLBACK to the COMMIT of a transaction in which a statement failed. */
  async #commit() {
    this.committing = true;
    const { command } = await send(this.#connection.client, "commit").catch((error: unknown) => {
      throw isRefusal(error) || isUnsent(error) ? error : outcomeUnknown();
    });
    await Promise.all(this.#last);
    if (command !== "COMMIT") throw new Error("a statement failed and its failure was not passed on: rolled back");
  }
}

/** Composes BEGIN, with the limits that differ from the connection's. */
function beginText(within: number | undefined, lockWithin: number | undefined): string {
  const limits = [
    ...(within === undefined
      ? []
      : [`statement_timeout = ${within}`, `idle_in_transaction_session_timeout = ${within}`]),
    ...(lockWithin === undefined ? [] : [`lock_timeout = ${lockWithin}`]),
  ];
  return ["begin", ...limits.map((limit) => `set local ${limit}`)].join("; ");
}

const outcomeUnknown = () =>
  unavailable(
    "the connection to the store was lost during the commit: check whether the write happened before a retry",
  );
