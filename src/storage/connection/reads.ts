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

interface Statement {
  readonly query: CompiledQuery;
  readonly resolve: (result: QueryResult<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

export class Reads {
  readonly #dialect: Dialect;
  readonly #driver: ReturnType<Dialect["createDriver"]>;
  readonly #parts: ConstructorParameters<typeof DefaultQueryExecutor>;
  readonly #shares: ConnectionShares;
  /** The statements of this turn that may share a connection, by account. */
  readonly #gathering = new Map<string, Statement[]>();

  /** `connections` provides a connection of the pool. */
  constructor(dialect: Dialect, shares: ConnectionShares, connections: ConnectionProvider) {
    this.#dialect = dialect;
    this.#driver = dialect.createDriver();
    this.#parts = [dialect.createQueryCompiler(), dialect.createAdapter(), connections];
    this.#shares = shares;
  }

  of(account_id: string): Kysely<Tables> {
    const [compiler, adapter, connections] = this.#parts;
    const executor = new AccountExecutor(compiler, adapter, {
      provideConnection: (use, options) =>
        this.#shares.read(account_id, () => connections.provideConnection(use, options)),
    });
    executor.run = (query) => this.#run(account_id, query);
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

  async #send(account_id: string, statements: readonly Statement[]): Promise<void> {
    const [, , connections] = this.#parts;
    const refuse = (error: unknown) => {
      for (const { reject } of statements) reject(error);
    };
    await this.#shares
      .read(account_id, () => connections.provideConnection((one) => runAll(one, statements)))
      .catch(refuse);
  }
}

/** Runs statements on a connection. Rejects if all have failed. */
async function runAll(connection: DatabaseConnection, statements: readonly Statement[]): Promise<void> {
  const run = async ({ query, resolve, reject }: Statement) => {
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

/** Runs single statements by `run`; transactions have a connection of their own. */
class AccountExecutor extends DefaultQueryExecutor {
  run!: (query: CompiledQuery) => Promise<QueryResult<unknown>>;

  override executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.run(query) as Promise<QueryResult<R>>;
  }
}
