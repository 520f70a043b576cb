/** The carrier inside a site: a follower reads the change stream from PostgreSQL itself, over one connection. */
import { openLoad, parseBody } from "../body.ts";
import {
  type Baseline,
  type Change,
  type ChangeSet,
  changeChannel,
  configuration,
  type Follower,
  type LoadReference,
  type RecordState,
  type ZoneState,
} from "../change.ts";
import { type ContentsReference, verifiedParts } from "../contents.ts";
import { pull } from "../pull.ts";
import type { FollowerRegistry, Page, Source } from "../source.ts";
import { recordColumns, recordState, zoneColumns, zoneState } from "../state.ts";
import { type FollowOptions, StreamBroken, type Subscription } from "../subscription.ts";
import { StreamConnection } from "./connection.ts";
import { reasonOf } from "./failure.ts";

/** Follows the stream until closed, through restarts of the store. Resolves when the first baseline has been taken. */
export function followPostgres(
  url: string,
  follower: Follower,
  { log, id, signal, from }: FollowOptions,
): Promise<Subscription> {
  const open = (notice: () => void) => ConfigurationSource.open(url, id, notice);
  return pull({ open, follower, subject: configuration, reasonOf, log, from }, signal);
}

const mostSets = 200;

class ConfigurationSource implements Source<Baseline, ChangeSet> {
  readonly notifies: boolean;
  readonly registry: FollowerRegistry;
  readonly #stream: StreamConnection;

  static async open(url: string, id: string, notice: () => void): Promise<ConfigurationSource> {
    return new ConfigurationSource(await StreamConnection.open(url, { id, channel: changeChannel, notice }), id);
  }

  private constructor(stream: StreamConnection, id: string) {
    this.#stream = stream;
    this.notifies = stream.notifies;
    this.registry = {
      report: async (revision) => void (await stream.client.query(reportText, [id, revision])),
      forget: async () => void (await stream.client.query("delete from follower where id = $1", [id])),
    };
  }

  store(): Promise<string | undefined> {
    return this.#stream.store();
  }

  head(): Promise<number> {
    return this.#stream.head(configuration);
  }

  async read(after: number): Promise<Page<ChangeSet>> {
    const rows = await this.#stream.prepared<ChangeRow>(
      "read",
      `select id, revision, previous, serials, body from change where revision > $1 order by revision limit ${mostSets}`,
      after,
    );
    const parts = (load: ContentsReference) => this.#parts(load);
    const sets: ChangeSet[] = [];
    for (const { body, ...row } of rows) {
      sets.push({ subject: configuration, ...row, changes: await this.#changes(body), parts });
    }
    return { messages: sets, more: sets.length === mostSets };
  }

  baseline(take: (baseline: Baseline) => Promise<void>): Promise<void> {
    return this.#stream.snapshot(configuration, (revision) =>
      take({ revision, zones: () => this.#zones(), records: () => this.#records() }),
    );
  }

  end(): void {
    this.#stream.end();
  }

  async #changes(text: string): Promise<readonly Change[]> {
    const body = parseBody(text);
    return body.kind === "inline" ? body.changes : await this.#load(body.load);
  }

  async #load(reference: LoadReference): Promise<readonly Change[]> {
    const { rows } = await this.#stream.client.query("select body from change_load where id = $1", [reference.id]);
    if (!rows[0]) throw new StreamBroken(`load ${reference.id} is gone`);
    return openLoad(reference, rows[0].body);
  }

  #parts(load: ContentsReference): AsyncIterable<Uint8Array> {
    return verifiedParts(load, async (part) => {
      const { rows } = await this.#stream.client.query<{ body: Buffer }>({
        name: "part",
        text: "select body from change_part where load_id = $1 and part = $2",
        values: [load.id, part],
      });
      return rows[0]?.body;
    });
  }

  async *#zones() {
    const columns = zoneColumns.map((column) => `"${column}"`).join(", ");
    for await (const rows of this.#stream.fetch<ZoneState & { serial: number }>(
      `select ${columns}, serial from zone`,
    )) {
      yield rows.map((row) => ({ zone: zoneState(row), serial: row.serial }));
    }
  }

  async *#records() {
    const columns = recordColumns.map((column) => `"${column}"`).join(", ");
    for await (const rows of this.#stream.fetch<RecordState>(`select ${columns} from record where ${isInZone}`))
      yield rows.map(recordState);
  }
}

/** A deleted zone keeps its records, and the records of a load are stored before their zone. */
const isInZone = `
  not exists (select from deleted_zone as gone where gone.account_id = record.account_id and gone.id = zone_id)
  and not exists (select from zone_load where zone_load.zone_id = record.zone_id)`;

/** Does not wait for the disk: a position lost in a crash is only an older one. */
const reportText = `
  with unhurried as materialized (select set_config('synchronous_commit', 'off', true))
  insert into follower (id, revision, seen_at)
  select $1, $2::bigint, extract(epoch from clock_timestamp())::bigint from unhurried
  on conflict (id) do update set revision = excluded.revision, seen_at = excluded.seen_at`;

interface ChangeRow {
  readonly id: string;
  readonly revision: number;
  readonly previous: number;
  readonly serials: Readonly<Record<string, number>>;
  readonly body: string;
}
