/** The carrier inside a site: a follower reads the change stream from PostgreSQL itself, over one connection. */
import pg from "pg";
import type { Log } from "../lib/log.ts";
import { openLoad, parseBody } from "./body.ts";
import {
  type Baseline,
  type Change,
  type ChangeSet,
  changeChannel,
  changeFormat,
  configuration,
  type Follower,
  type LoadReference,
  type RecordState,
  type Subscription,
  type ZoneState,
} from "./change.ts";
import { recordColumns, recordState, zoneColumns, zoneState } from "./state.ts";
import { PullSubscription, type Source, StreamBroken } from "./subscription.ts";

export interface FollowOptions {
  readonly log: Log;
  /** Name of this follower: the stream is kept until every follower has passed. */
  readonly id: string;
  /** Gives up waiting for the first baseline. */
  readonly signal?: AbortSignal;
}

/** Follows the stream until closed, through restarts of the store. Resolves when the first baseline has been taken. */
export async function followPostgres(url: string, follower: Follower, options: FollowOptions): Promise<Subscription> {
  const { log, id, signal } = options;
  const subscription = new PullSubscription((notice) => PostgresSource.open(url, id, notice), follower, log);
  const abort = () => void subscription.close();
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  try {
    await subscription.started;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
  return subscription;
}

const mostSets = 200;
const batch = 2000;
/** A store that does not answer for so long is taken for gone. */
const patience = 10_000;

const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);

class PostgresSource implements Source {
  tells = false;
  readonly most = mostSets;
  #client: pg.Client;
  #id: string;

  static async open(url: string, id: string, notice: () => void): Promise<PostgresSource> {
    const client = new pg.Client({
      connectionString: url,
      types,
      keepAlive: true,
      connectionTimeoutMillis: patience,
      query_timeout: patience,
      application_name: `fairlead follower ${id}`.slice(0, 63),
    });
    client.on("error", notice);
    client.on("notification", notice);
    const source = new PostgresSource(client, id);
    try {
      await client.connect();
      await source.#preferIndexes();
      await source.#listen();
    } catch (error) {
      source.end();
      throw error;
    }
    return source;
  }

  private constructor(client: pg.Client, id: string) {
    this.#client = client;
    this.#id = id;
  }

  /** A plan made while the stream was short would read all of it; engines without these settings do without. */
  async #preferIndexes() {
    await this.#client.query("set random_page_cost = 1.1; set enable_seqscan = off").catch(ignoreRefusal);
  }

  /** Engines of the dialect without LISTEN are asked more often instead. */
  async #listen() {
    this.tells = (await this.#client.query(`listen ${changeChannel}`).catch(ignoreRefusal)) !== undefined;
  }

  async head(): Promise<number> {
    const rows = await this.#prepared<{ revision: number }>(
      "head",
      "select revision from sequencer where subject = $1",
      configuration,
    );
    return rows[0]?.revision ?? 0;
  }

  async read(after: number): Promise<readonly ChangeSet[]> {
    const rows = await this.#prepared<ChangeRow>(
      "read",
      `select id, revision, previous, serials, body from change where revision > $1 order by revision limit ${mostSets}`,
      after,
    );
    const sets: ChangeSet[] = [];
    for (const { body, ...row } of rows) {
      sets.push({ format: changeFormat, subject: configuration, ...row, changes: await this.#changes(body) });
    }
    return sets;
  }

  async baseline(take: (baseline: Baseline) => Promise<void>): Promise<void> {
    await this.#client.query("begin transaction isolation level repeatable read read only");
    await this.#client.query("set local enable_seqscan = on").catch(ignoreRefusal);
    const revision = await this.head();
    await take({ revision, zones: () => this.#zones(), records: () => this.#records() });
    await this.#client.query("commit");
  }

  async report(revision: number): Promise<void> {
    await this.#client.query(
      `insert into follower (id, revision, seen_at) values ($1, $2, extract(epoch from clock_timestamp())::bigint)
       on conflict (id) do update set revision = excluded.revision, seen_at = excluded.seen_at`,
      [this.#id, revision],
    );
  }

  async forget(): Promise<void> {
    await this.#client.query("delete from follower where id = $1", [this.#id]);
  }

  end(): void {
    this.#client.connection.stream.destroy();
  }

  async #changes(text: string): Promise<readonly Change[]> {
    const body = parseBody(text);
    return body.kind === "inline" ? body.changes : await this.#load(body.load);
  }

  async #load(reference: LoadReference): Promise<readonly Change[]> {
    const { rows } = await this.#client.query("select body from change_load where id = $1", [reference.id]);
    if (!rows[0]) throw new StreamBroken(`load ${reference.id} is gone`);
    return openLoad(reference, rows[0].body);
  }

  async *#zones() {
    const columns = zoneColumns.map((column) => `"${column}"`).join(", ");
    for await (const rows of this.#fetch<ZoneState & { serial: number }>(`select ${columns}, serial from zone`)) {
      yield rows.map((row) => ({ zone: zoneState(row), serial: row.serial }));
    }
  }

  async *#records() {
    const columns = recordColumns.map((column) => `"${column}"`).join(", ");
    for await (const rows of this.#fetch<RecordState>(`select ${columns} from record`)) yield rows.map(recordState);
  }

  async *#fetch<Row extends pg.QueryResultRow>(statement: string): AsyncGenerator<readonly Row[]> {
    await this.#client.query(`declare rows_of_baseline no scroll cursor for ${statement}`);
    for (;;) {
      const { rows } = await this.#client.query<Row>(`fetch ${batch} from rows_of_baseline`);
      if (rows.length === 0) break;
      yield rows;
    }
    await this.#client.query("close rows_of_baseline");
  }

  async #prepared<Row extends pg.QueryResultRow>(name: string, text: string, value: string | number): Promise<Row[]> {
    return (await this.#client.query<Row>({ name, text, values: [value] })).rows;
  }
}

function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof pg.DatabaseError)) throw error;
}

interface ChangeRow {
  readonly id: string;
  readonly revision: number;
  readonly previous: number;
  readonly serials: Readonly<Record<string, number>>;
  readonly body: string;
}
