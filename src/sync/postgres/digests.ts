/** Digests of zones in PostgreSQL: the zones that control reads for them, and the batches that edges get. */
import type pg from "pg";
import type { RecordState, ZoneState } from "../change.ts";
import { changeChannel, configuration, digestsNews } from "../change.ts";
import type { Comparison, DigestBatch, Digests, EdgeReport } from "../site.ts";
import { listed, recordColumns, recordState, zoneColumns, zoneState } from "../state.ts";
import { connect, lowerServer, StreamConnection } from "./connection.ts";

/** Seconds for which edges can read a batch. */
const keptFor = 600;
const rowsAtOnce = 500;

/** A zone's key, in the order in which zones are read. */
export interface ZonePlace {
  readonly account_id: string;
  readonly zone_id: string;
}

export const firstPlace: ZonePlace = { account_id: "", zone_id: "" };

export interface ReadZone extends ZonePlace {
  readonly zone: ZoneState;
  readonly serial: number;
  /** Whether all changes of the zone have numbers: otherwise the records are not those of any revision. */
  readonly isNumbered: boolean;
}

/** The next zones after a place, and their records, at one revision. */
export interface ZonesReading {
  readonly number: number;
  readonly revision: number;
  /** In order. */
  readonly zones: readonly ReadZone[];
  /** Whether no zones follow. */
  readonly isLast: boolean;
  /** The number of all zones, for the last zones only; null if it is not that of any revision. */
  readonly total: number | null;
  /** The records of the zones, in the order of the zones. */
  records(): AsyncIterable<readonly RecordState[]>;
}

/** Calls `compare` with the digests after a number; without a number, only with the last number. Reports what it returns. */
export async function readDigests(
  url: string,
  follower: string,
  after: number | undefined,
  compare: (digests: Digests) => EdgeReport | undefined,
): Promise<void> {
  const client = await connect(url, "digests");
  try {
    const text = "select case when is_called then last_value else 0 end as last from digest_number";
    const { last } = (await client.query<{ last: number }>(text)).rows[0]!;
    const report = compare({ last, batches: after === undefined ? [] : await batchesAfter(client, after) });
    if (!report) return;
    const { comparison, about } = report;
    await client.query(reportText, [follower, JSON.stringify(comparison), JSON.stringify(about)]);
  } finally {
    await client.end().catch(() => {});
  }
}

const batchesAfter = async (client: pg.Client, after: number) =>
  (
    await client.query<DigestBatch>(
      "select number, revision, zones, total from digest_batch where number > $1 order by number",
      [after],
    )
  ).rows;

/** A follower's last report. */
export interface Compared {
  readonly id: string;
  /** Null before the first comparison, and for edges of earlier versions. */
  readonly comparison: Comparison | null;
}

/** The connection over which zones are read, and their digests written. */
export class DigestConnection {
  readonly #stream: StreamConnection;

  static async open(url: string, isEmbedded: boolean): Promise<DigestConnection> {
    const stream = await StreamConnection.open(url, { id: "digests", channel: "fairlead_digests", onNews() {} });
    if (isEmbedded) lowerServer(stream.client, "bulk");
    return new DigestConnection(stream);
  }

  private constructor(stream: StreamConnection) {
    this.#stream = stream;
  }

  /** The last zone of the last batch. */
  async lastPlace(): Promise<ZonePlace> {
    const text =
      "select last_account as account_id, last_zone as zone_id from digest_batch order by number desc limit 1";
    return (await this.#stream.client.query<ZonePlace>(text)).rows[0] ?? firstPlace;
  }

  /**
   * Calls `take` with the next zones after a place, at most `most` of them. Until `write` or `close`, nobody else draws
   * a number: batches appear in the order of their numbers.
   */
  async read(after: ZonePlace, most: number, take: (reading: ZonesReading) => Promise<void>): Promise<void> {
    const stream = this.#stream;
    const { client } = stream;
    await client.query(`select pg_advisory_lock(${numberLock})`);
    // drawn before the snapshot: an edge that has seen a smaller number has nothing that the snapshot lacks
    const drawn = await client.query<{ number: number }>("select nextval('digest_number') as number");
    const { number } = drawn.rows[0]!;
    await stream.snapshot(configuration, async ({ revision }) => {
      const { rows } = await client.query<ZoneState & { serial: number }>(zonesText, [
        ...[after.account_id, after.zone_id, most],
      ]);
      const unnumbered = new Set((await client.query<{ id: string }>(unnumberedText)).rows.map(({ id }) => id));
      const zones = rows.map((row) => ({
        ...{ account_id: row.account_id, zone_id: row.id, zone: zoneState(row), serial: row.serial },
        isNumbered: !unnumbered.has(row.id),
      }));
      const isLast = zones.length < most;
      // a zone may have been made or removed by a change without a number
      const isCounted = isLast && unnumbered.size === 0;
      const total = isCounted ? (await client.query<{ total: number }>(totalText)).rows[0]!.total : null;
      await take({ number, revision, zones, isLast, total, records: () => recordsOf(stream, zones) });
    });
  }

  /** Stores a batch, which ends at a place, and removes old ones. Does not wait for the disk. */
  async write({ number, revision, zones, total }: DigestBatch, { account_id, zone_id }: ZonePlace): Promise<void> {
    const values = [number, revision, JSON.stringify(zones), total, account_id, zone_id, keptFor];
    await this.#stream.client.query(writeText, values);
    await this.#stream.client.query(`select pg_advisory_unlock(${numberLock})`);
  }

  /** Stores a batch without zones, and returns its number. */
  async writeEmpty(): Promise<number> {
    const last = await this.lastPlace();
    let number = 0;
    await this.read(last, 0, async (reading) => {
      number = reading.number;
    });
    await this.write({ number, revision: 0, zones: {}, total: null }, last);
    return number;
  }

  /** Asks edges to compare their zones now. */
  async announce(): Promise<void> {
    await this.#stream.client.query(`notify ${changeChannel}, '${digestsNews}'`);
  }

  /** The reports of edges. */
  async compared(): Promise<readonly Compared[]> {
    return (await this.#stream.client.query<Compared>("select id, comparison from follower order by id")).rows;
  }

  close(): void {
    this.#stream.end();
  }
}

async function* recordsOf(stream: StreamConnection, zones: readonly ZonePlace[]) {
  const [first, last] = [zones[0], zones.at(-1)];
  if (!first || !last) return;
  const place = ({ account_id, zone_id }: ZonePlace) => `(${literal(account_id)}, ${literal(zone_id)})`;
  const text = `select ${listed(recordColumns)} from record
    where (account_id, zone_id) between ${place(first)} and ${place(last)} order by account_id, zone_id`;
  for await (const rows of stream.fetch<RecordState>(text, rowsAtOnce)) yield rows.map(recordState);
}

/** Cursors take no parameters. */
const literal = (id: string) => `'${id.replaceAll("'", "''")}'`;

/** The key of an advisory lock of PostgreSQL, which nothing else uses. */
const numberLock = 4_037_001;

/** An edge that took over from another one with the same name is not registered until its next revision. */
const reportText = `
  with unhurried as materialized (select set_config('synchronous_commit', 'off', true))
  insert into follower (id, revision, seen_at, comparison, about)
  select $1, ($2::json ->> 'revision')::bigint, extract(epoch from clock_timestamp())::bigint, $2::json, $3::json
  from unhurried
  on conflict (id) do update
    set comparison = excluded.comparison, about = excluded.about, seen_at = excluded.seen_at`;
const zonesText = `
  select ${listed(zoneColumns)}, serial from zone where (account_id, id) > ($1, $2) order by account_id, id limit $3`;
const unnumberedText = `
  select distinct json_array_elements_text(zone_ids) as id from change where revision is null`;
const totalText = "select count(*) as total from zone";
const writeText = `
  with unhurried as materialized (select set_config('synchronous_commit', 'off', true)),
  gone as (
    delete from digest_batch
    where created < extract(epoch from clock_timestamp())::bigint - $7::bigint)
  insert into digest_batch (number, revision, zones, total, last_account, last_zone, created)
  select $1, $2, $3::json, $4, $5, $6, extract(epoch from clock_timestamp())::bigint from unhurried`;
