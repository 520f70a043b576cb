/** A connection of its own for what is too much for the pool's patience: many rows in and out, in transactions of any length. */
import { once } from "node:events";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { lowerServer, types } from "./connection.ts";
import { problemOf } from "./failure.ts";

const patience = 120_000;
const longestConnect = 10_000;

/** Every failure is a Problem where the store is at fault. One statement at a time. */
export class BulkConnection {
  readonly #client: pg.Client;

  /** `isOurs`: nobody but us uses the server, which runs beside us; others go first there. */
  static async open(url: string, isOurs: boolean): Promise<BulkConnection> {
    const client = new pg.Client({
      connectionString: url,
      types,
      keepAlive: true,
      connectionTimeoutMillis: longestConnect,
      statement_timeout: patience,
      lock_timeout: patience,
      idle_in_transaction_session_timeout: patience,
      application_name: "fairlead bulk",
    });
    // what was under way fails by itself
    client.on("error", () => {});
    try {
      await client.connect();
      // nothing counts before the transaction that makes it visible, which is written to the disk after it
      await client.query("set synchronous_commit = off; set enable_seqscan = off; set jit = off").catch(() => {});
      if (isOurs) await lowerServer(client);
    } catch (error) {
      client.connection.stream.destroy();
      throw problemOf(error);
    }
    return new BulkConnection(client);
  }

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** How many rows a statement returned or changed. */
  async run(text: string, values: readonly unknown[] = []): Promise<number> {
    try {
      return (await this.#client.query({ text, values: [...values] })).rowCount ?? 0;
    } catch (error) {
      throw problemOf(error);
    }
  }

  /** `octets` are rows as `copy ... from stdin` reads them. */
  async copy(text: string, octets: Uint8Array): Promise<void> {
    try {
      const stream = this.#client.query(copyFrom(text));
      stream.end(octets);
      await once(stream, "finish");
    } catch (error) {
      throw problemOf(error);
    }
  }

  /** From now on reads see this moment only. */
  async holdSnapshot(): Promise<void> {
    await this.run("begin transaction isolation level repeatable read read only");
  }

  async rows<Row extends object>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    try {
      return (await this.#client.query<Row>({ text, values: [...values] })).rows;
    } catch (error) {
      throw problemOf(error);
    }
  }

  /** The rows of a statement in a snapshot, so many at a time. To be read to the end before anything else. */
  async *read<Row extends object>(text: string, most: number): AsyncGenerator<readonly Row[]> {
    await this.run(`declare rows_read no scroll cursor for ${text}`);
    const next = () => this.rows<Row>(`fetch ${most} from rows_read`);
    for (let rows = await next(); rows.length > 0; rows = await next()) yield rows;
  }

  /** All of it or nothing. */
  async transaction(run: () => Promise<void>): Promise<void> {
    await this.run("begin");
    try {
      await run();
      await this.run("commit");
    } catch (error) {
      await this.run("rollback").catch(() => {});
      throw error;
    }
  }

  /** At once: what is under way is rolled back. */
  close(): void {
    this.#client.connection.stream.destroy();
  }
}
