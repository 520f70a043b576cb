/** Asks the store about itself, over two connections of its own. Changes nothing: the one write is rolled back. */
import pg from "pg";
import type { Config } from "../../../config/config.ts";
import { unavailable } from "../../../lib/problem.ts";
import { runningPostgres } from "../../../storage/embedded/postgres.ts";
import { type Standby, serverVersion, standbysText, synchronousNames } from "../../../storage/facts.ts";
import { types } from "../../../sync/postgres/connection.ts";

/** Milliseconds for a connection, and for each statement. */
const patience = 5000;

export interface StoreFacts {
  readonly version: string;
  /** Such as 150004. */
  readonly number: number;
  readonly encoding: string;
  readonly database: string;
  readonly user: string;
  readonly is_standby: boolean;
  readonly is_read_only: boolean;
  readonly may_create: boolean;
  readonly has_schema: boolean;
  /** Names of standbys that must confirm a commit; empty for none. */
  readonly synchronous: string;
  readonly free_connections: number;
}

export interface EdgeSeen {
  readonly id: string;
  /** Revisions that it lacks. */
  readonly behind: number;
  /** Seconds since it reported. */
  readonly age: number;
  /** Zones that it answers otherwise than the store has them. */
  readonly differing: readonly string[];
}

const factsText = `
  select ${serverVersion} as version, current_setting('server_version_num')::int as number,
    current_setting('server_encoding') as encoding, current_database() as database, current_user as user,
    pg_is_in_recovery() as is_standby, current_setting('transaction_read_only') = 'on' as is_read_only,
    coalesce(has_schema_privilege('public', 'create'), false) as may_create,
    to_regclass('kysely_migration') is not null as has_schema,
    ${synchronousNames} as synchronous,
    current_setting('max_connections')::int - (select count(*) from pg_stat_activity)::int as free_connections`;

/** Tables that migrations change: only an owner may. */
const foreignText = `
  select relname as name from pg_class
  where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and not pg_has_role(relowner, 'usage')
  order by relname`;

/** A schema of an earlier version has no column "comparison". */
const edgesText = `
  select id, greatest(0, (select coalesce(max(revision), 0) from change) - revision) as behind,
    greatest(0, extract(epoch from clock_timestamp())::bigint - seen_at) as age,
    coalesce(to_jsonb(follower) -> 'comparison' -> 'differing', '[]') as differing
  from follower order by id`;

const unnumberedText = `
  select count(*) as count, coalesce(extract(epoch from clock_timestamp())::bigint - min(created), 0) as waited
  from change where revision is null`;

/** The store of the configuration; undefined if it is embedded and does not run. Rejects if it cannot be reached. */
export async function connectedStore(
  config: Pick<Config, "databaseUrl" | "data">,
): Promise<ConnectedStore | undefined> {
  const url = config.databaseUrl ?? (await runningPostgres(config.data))?.url;
  return url === undefined ? undefined : await ConnectedStore.open(url, config.databaseUrl === undefined);
}

export class ConnectedStore {
  readonly isEmbedded: boolean;
  readonly #client: pg.Client;
  readonly #url: string;

  static async open(url: string, isEmbedded: boolean): Promise<ConnectedStore> {
    return new ConnectedStore(await connect(url), url, isEmbedded);
  }

  private constructor(client: pg.Client, url: string, isEmbedded: boolean) {
    this.#client = client;
    this.#url = url;
    this.isEmbedded = isEmbedded;
  }

  async facts(): Promise<StoreFacts> {
    return (await this.#rows<StoreFacts>(factsText))[0]!;
  }

  /** Seconds by which the clock of this machine is ahead of the store's. */
  async clockAhead(): Promise<number> {
    const before = Date.now();
    const [row] = await this.#rows<{ now: string }>("select extract(epoch from clock_timestamp()) as now");
    return (before + Date.now()) / 2000 - Number(row!.now);
  }

  async migrations(): Promise<string[]> {
    return (await this.#rows<{ name: string }>("select name from kysely_migration order by name")).map(
      ({ name }) => name,
    );
  }

  standbys = () => this.#rows<Standby>(standbysText);
  edges = () => this.#rows<EdgeSeen>(edgesText);

  async unnumbered(): Promise<{ count: number; waited: number }> {
    return (await this.#rows<{ count: number; waited: number }>(unnumberedText))[0]!;
  }

  async foreignTables(): Promise<string[]> {
    return (await this.#rows<{ name: string }>(foreignText)).map(({ name }) => name);
  }

  /** Rejects with the reason if the store takes no writes. */
  async tryWrite(): Promise<void> {
    await this.#client.query("begin");
    try {
      const row = "values ('doctor', 'doctor', 1, 0) on conflict (name) do update set expires_at = 0";
      await this.#client.query(`insert into lease (name, holder, token, expires_at) ${row}`);
    } finally {
      await this.#client.query("rollback");
    }
  }

  /** Whether a pooler lends a connection for a transaction only, so that two sessions share one server process. */
  async isPooledByTransaction(): Promise<boolean> {
    const other = await connect(this.#url);
    try {
      const own = await pidOf(this.#client);
      await other.query("begin");
      const others = await pidOf(other);
      return others === own || (await pidOf(this.#client)) !== own;
    } finally {
      await other.end();
    }
  }

  close = () => this.#client.end();

  async #rows<T extends object>(text: string): Promise<T[]> {
    return (await this.#client.query<T>(text)).rows;
  }
}

const pidOf = async (client: pg.Client) =>
  (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]!.pid;

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    types,
    connectionTimeoutMillis: patience,
    query_timeout: patience,
    application_name: "fairlead doctor",
  });
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw unavailable(`the store cannot be reached: ${error instanceof Error ? error.message : String(error)}`);
  }
}
