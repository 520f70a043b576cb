/** Where a store is: what connects to it, and what an operator does with it. */
import { join } from "node:path";
import pg from "pg";
import { newLog } from "../../src/lib/log.ts";
import { clusterBelow, urlOf } from "../../src/storage/embedded/cluster.ts";
import { type Postgres, startPostgres } from "../../src/storage/embedded/postgres.ts";

export interface StorePlace {
  readonly url: string;
  /** The port on loopback, or the path of the socket. */
  readonly target: number | string;
  start(): Promise<void>;
  /** Ends the server; nothing runs afterwards. */
  kill(): Promise<void>;
}

/** The rows of a statement, as a user who sees the rows of all accounts. */
export async function rowsOf<Row extends object>({ url }: StorePlace, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000, query_timeout: 5000 });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    client.end().catch(() => {});
  }
}

/** The embedded PostgreSQL in a data directory, where `fairlead store import` has made it. */
export class EmbeddedStore implements StorePlace {
  readonly url: string;
  readonly target: string;
  readonly #directory: string;
  #server: Postgres | undefined;

  constructor(directory: string) {
    this.#directory = directory;
    this.url = urlOf(clusterBelow(directory));
    this.target = join(directory, "run/.s.PGSQL.5432");
  }

  async start(): Promise<void> {
    this.#server = await startPostgres({ directory: this.#directory, log: newLog("silent", "operate") });
  }

  async kill(): Promise<void> {
    await this.#server?.stop();
  }
}
