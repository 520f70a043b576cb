/** A separate connection for bulk reads and writes, which take longer than the pool allows. */
import { once } from "node:events";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { drop, lowerServer, types } from "../../sync/postgres/connection.ts";
import { timeouts } from "./connection.ts";
import { problemOf } from "./failure.ts";

const usualPatience = 120_000;
/** How many more milliseconds a server has to report that a statement took too long. */
const usualGrace = 10_000;
const longestConnect = 10_000;

/** Runs one statement at a time. Failures of the store are Problems. */
export class BulkConnection {
  readonly #client: pg.Client;
  readonly #longest: number;

  /**
   * On an embedded server, the server's process for this connection runs at a lower priority. A statement may take
   * `patience` milliseconds.
   */
  static async open(url: string, isEmbedded: boolean, patience = usualPatience, grace = usualGrace) {
    const client = new pg.Client({
      connectionString: url,
      types,
      keepAlive: true,
      connectionTimeoutMillis: longestConnect,
      application_name: "fairlead bulk",
    });
    // the statements that are running report the failure
    client.on("error", () => {});
    try {
      await client.connect();
      await client.query(timeouts(patience, patience));
      // written rows are invisible until a later transaction, whose synchronous commit also brings these rows to disk
      await client.query("set synchronous_commit = off; set enable_seqscan = off; set jit = off").catch(() => {});
      if (isEmbedded) lowerServer(client, "bulk");
    } catch (error) {
      drop(client);
      throw problemOf(error);
    }
    return new BulkConnection(client, patience + grace);
  }

  private constructor(client: pg.Client, longest: number) {
    this.#client = client;
    this.#longest = longest;
  }

  /** Runs a statement and returns the number of rows that it returned or changed. */
  async run(text: string, values: readonly unknown[] = []): Promise<number> {
    return (await this.#answered(this.#client.query({ text, values: [...values] }))).rowCount ?? 0;
  }

  /** Copies rows; `octets` are the input of `copy ... from stdin`. */
  async copy(text: string, octets: Uint8Array): Promise<void> {
    const stream = this.#client.query(copyFrom(text));
    const finished = once(stream, "finish");
    stream.end(octets);
    await this.#answered(finished);
  }

  /** Begins a snapshot: later reads see the store as it is now. */
  async holdSnapshot(): Promise<void> {
    await this.run("begin transaction isolation level repeatable read read only");
  }

  async rows<Row extends object>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return (await this.#answered(this.#client.query<Row>({ text, values: [...values] }))).rows;
  }

  /** Yields the rows of a statement in a snapshot, at most `most` at a time. One at a time; `rows` may run between. */
  async *read<Row extends object>(text: string, most: number): AsyncGenerator<readonly Row[]> {
    await this.run(`declare rows_read no scroll cursor for ${text}`);
    const next = () => this.rows<Row>(`fetch ${most} from rows_read`);
    for (let rows = await next(); rows.length > 0; rows = await next()) yield rows;
    await this.run("close rows_read");
  }

  /** Runs a transaction. */
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

  /** Closes the connection if no answer comes: a server that cannot be reached reports no time-out. */
  async #answered<T>(answer: Promise<T>): Promise<T> {
    const late = setTimeout(() => this.close(), this.#longest);
    try {
      return await answer;
    } catch (error) {
      throw problemOf(error);
    } finally {
      clearTimeout(late);
    }
  }

  /** Closes the connection immediately; an open transaction is rolled back. */
  close(): void {
    drop(this.#client);
  }
}
