/** Connections to PostgreSQL; those for streams have notifications and consistent snapshots. */
import pg from "pg";
import { lowerProcess } from "../../lib/system/priority.ts";
import type { Numeral } from "../stream-source.ts";
import { assertSchema } from "./schema.ts";

const defaultRows = 2000;
/** Milliseconds without an answer after which the store is considered unreachable. */
const patience = 10_000;

/** `bigint` is read as a number: serials, revisions and times stay below 2^53. */
export const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * Opens a connection to a store that this version can read. `lost` is called when the connection ends, and the next
 * query fails.
 */
export async function connect(url: string, name: string, lost: () => void = () => {}): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    types,
    keepAlive: true,
    connectionTimeoutMillis: patience,
    query_timeout: patience,
    application_name: `fairlead ${name}`.slice(0, 63),
  });
  client.on("error", lost);
  try {
    await client.connect();
    await assertSchema(client);
    return client;
  } catch (error) {
    drop(client);
    throw error;
  }
}

/** Drops the connection without waiting for anything. */
export const drop = (client: pg.Client) => client.connection.stream.destroy();

/** Lowers the priority of the server's process for this connection, until the connection ends. */
export function lowerServer(client: pg.ClientBase, work: "calls" | "bulk"): void {
  // the type of clients does not list the server's process
  lowerProcess((client as pg.ClientBase & { readonly processID: number }).processID, work);
}

export class StreamConnection {
  readonly client: pg.Client;
  /** Whether `onNews` is called when there is something new. Engines without LISTEN are polled more often instead. */
  notifies = false;

  /**
   * Calls `onNews` for each notification on `channel`, with its text if it has one, and when the connection is lost; for a
   * notification on one of `others` calls its function.
   */
  static async open(
    url: string,
    {
      id,
      channel,
      onNews,
      others = {},
    }: {
      id: string;
      channel: string;
      onNews: (text?: string) => void;
      others?: Readonly<Record<string, () => void>>;
    },
  ): Promise<StreamConnection> {
    const connection = new StreamConnection(await connect(url, `follower ${id}`, () => onNews()));
    const { client } = connection;
    client.on("notification", ({ channel: from, payload }) => {
      if (from === channel) onNews(payload || undefined);
      else others[from]?.();
    });
    try {
      // a plan made while the stream was short would read all of it; engines without these settings do without
      await client.query("set random_page_cost = 1.1; set enable_seqscan = off").catch(ignoreRefusal);
      const listen = [channel, ...Object.keys(others)].map((name) => `listen ${name}`).join("; ");
      connection.notifies = (await client.query(listen).catch(ignoreRefusal)) !== undefined;
    } catch (error) {
      connection.end();
      throw error;
    }
    return connection;
  }

  private constructor(client: pg.Client) {
    this.client = client;
  }

  /** The methods of a source that are the same for every stream. */
  source(stream: string) {
    return {
      notifies: this.notifies,
      store: () => this.store(),
      head: () => this.head(stream),
      end: () => this.end(),
    };
  }

  /** Identifies the database and its cluster; undefined for engines without such an identifier. */
  async store(): Promise<string | undefined> {
    const answered = await this.client
      .query<{ store: string }>(
        `select system_identifier || ':' || oid as store
        from pg_control_system(), pg_database where datname = current_database()`,
      )
      .catch(ignoreRefusal);
    return answered?.rows[0]?.store;
  }

  /** The last revision of a stream. */
  async head(stream: string): Promise<Numeral> {
    const text = "select revision, mark from sequencer where subject = $1";
    return (await this.prepared<Numeral & pg.QueryResultRow>("head", text, stream))[0] ?? { revision: 0, mark: "" };
  }

  /** Calls `take` with the stream's revision; everything that `take` reads belongs to that revision. */
  async snapshot(stream: string, take: (head: Numeral) => Promise<void>): Promise<void> {
    await this.client.query("begin transaction isolation level repeatable read read only");
    await this.client.query("set local enable_seqscan = on").catch(ignoreRefusal);
    await take(await this.head(stream));
    await this.client.query("commit");
  }

  /** Yields all rows of a statement, at most `most` at a time; only inside a snapshot. */
  async *fetch<Row extends pg.QueryResultRow>(statement: string, most = defaultRows): AsyncGenerator<readonly Row[]> {
    await this.client.query(`declare rows_of_baseline no scroll cursor for ${statement}`);
    for (;;) {
      const { rows } = await this.client.query<Row>(`fetch ${most} from rows_of_baseline`);
      if (rows.length === 0) break;
      yield rows;
    }
    await this.client.query("close rows_of_baseline");
  }

  async prepared<Row extends pg.QueryResultRow>(name: string, text: string, value: string | number): Promise<Row[]> {
    return (await this.client.query<Row>({ name, text, values: [value] })).rows;
  }

  /** Drops the connection without waiting for anything. */
  end(): void {
    drop(this.client);
  }
}

function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof pg.DatabaseError)) throw error;
}
