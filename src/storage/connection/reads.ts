/**
 * The reads of accounts. Statements of an account that begin in the same turn of the event loop share a connection: to
 * wake the server costs more than a small read.
 */
import {
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  Kysely,
  type QueryResult,
} from "kysely";
import type { Tables } from "../tables/index.ts";
import type { ConnectionShares } from "./shares.ts";

/** Statements that share a connection: the last one waits for those before it. */
const mostTogether = 4;

type Parts = ConstructorParameters<typeof DefaultQueryExecutor>;

/** A statement that waits for the end of this turn. */
interface Gathered {
  readonly query: CompiledQuery;
  readonly resolve: (result: QueryResult<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

export class Reads {
  readonly #dialect: Dialect;
  readonly #driver: ReturnType<Dialect["createDriver"]>;
  readonly #parts: Parts;
  readonly #shares: ConnectionShares;
  /** The statements of this turn that may share a connection, by account. */
  readonly #gathering = new Map<string, Gathered[]>();

  /** `connections` provides a connection of the pool. */
  constructor(dialect: Dialect, shares: ConnectionShares, connections: ConnectionProvider) {
    this.#dialect = dialect;
    this.#driver = dialect.createDriver();
    this.#parts = [dialect.createQueryCompiler(), dialect.createAdapter(), connections];
    this.#shares = shares;
  }

  of(account_id: string): Kysely<Tables> {
    const [compiler, adapter, connections] = this.#parts;
    const own: ConnectionProvider = {
      provideConnection: (use, options) =>
        this.#shares.read(account_id, () => connections.provideConnection(use, options)),
    };
    const executor = new AccountExecutor([compiler, adapter, own], (query) => this.#run(account_id, query));
    const dialect = this.#dialect;
    return new Kysely<Tables>({ config: { dialect }, driver: this.#driver, dialect, executor });
  }

  #run(account_id: string, query: CompiledQuery): Promise<QueryResult<unknown>> {
    return new Promise((resolve, reject) => {
      const gathering = this.#gathering.get(account_id);
      if (gathering && gathering.length < mostTogether) {
        gathering.push({ query, resolve, reject });
        return;
      }
      const statements = [{ query, resolve, reject }];
      this.#gathering.set(account_id, statements);
      setImmediate(() => {
        if (this.#gathering.get(account_id) === statements) this.#gathering.delete(account_id);
        void this.#send(account_id, statements);
      });
    });
  }

  async #send(account_id: string, statements: readonly Gathered[]): Promise<void> {
    const [, , connections] = this.#parts;
    const refuse = (error: unknown) => {
      for (const { reject } of statements) reject(error);
    };
    await this.#shares
      .read(account_id, () => connections.provideConnection((one) => runAll(one, statements)))
      .catch(refuse);
  }
}

/** Runs statements on a connection. Rejects if all have failed: the shares then do not take the store for one that answers. */
async function runAll(connection: DatabaseConnection, statements: readonly Gathered[]): Promise<void> {
  const run = async ({ query, resolve, reject }: Gathered) => {
    try {
      resolve(await connection.executeQuery(query));
    } catch (error) {
      reject(error);
      throw error;
    }
  };
  const results = await Promise.allSettled(statements.map(run));
  if (results.every(({ status }) => status === "rejected")) throw new Error("all statements failed");
}

/** Passes single statements to `run`; a transaction has a connection of its own. */
class AccountExecutor extends DefaultQueryExecutor {
  readonly #run: (query: CompiledQuery) => Promise<QueryResult<unknown>>;

  constructor(parts: Parts, run: (query: CompiledQuery) => Promise<QueryResult<unknown>>) {
    super(...parts);
    this.#run = run;
  }

  override executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#run(query) as Promise<QueryResult<R>>;
  }
}
