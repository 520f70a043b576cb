/** One zone at its serial, whole and as the differences from an earlier serial, read from PostgreSQL for a transfer. */
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { upwardsFrom } from "../../dns/wire/name.ts";
import type { RecordState, ZoneState } from "../change.ts";
import { type NetChange, NetDifference, recordKey, zoneKey } from "../net-difference.ts";
import { answeredWith, listed, recordColumns, recordState, zoneColumns, zoneState } from "../state.ts";
import type { OpenZone, ZoneAtSerial, ZoneChanges, ZoneReading } from "../zone.ts";
import { lowerServer, StreamConnection } from "./connection.ts";
import { historyOfSerial } from "./history.ts";

/** A change gets its serial within milliseconds. Maximum number of checks for that, and milliseconds between two checks. */
const mostChecks = 20;
const pause = 10;
/** Maximum entries of the history in one answer; beyond that, the whole zone is as good. */
const mostEntries = 20_000;
const rowsAtOnce = 500;

export interface PostgresStore {
  readonly url: string;
  /** The server runs on this machine, and serves only this installation: it reads transfers at a low priority. */
  readonly isEmbedded: boolean;
}

export const openZone: OpenZone<PostgresStore> = (store, account_id, zone_id) =>
  PostgresZone.open(store, account_id, zone_id);

/** Reads in one snapshot of the store, on a connection of its own, until it is closed. */
class PostgresZone implements ZoneReading {
  readonly #connection: StreamConnection;
  readonly #key: readonly [account_id: string, zone_id: string];
  /** Former states of the entries that changes without a serial have touched. */
  readonly #undone: ReadonlyMap<string, Entry | undefined>;
  readonly now: ZoneAtSerial;

  /** Undefined when the zone does not exist. */
  static async open({ url, isEmbedded }: PostgresStore, account_id: string, zone_id: string) {
    const own = { id: "transfer", channel: "fairlead_transfer", onNews() {} };
    const connection = await StreamConnection.open(url, own);
    try {
      if (isEmbedded) lowerServer(connection.client, "bulk");
      const reading = await PostgresZone.#settled(connection, [account_id, zone_id]);
      if (!reading) connection.end();
      return reading;
    } catch (error) {
      connection.end();
      throw error;
    }
  }

  /** Waits briefly until all changes have their serials; the reading then undoes changes that still have none. */
  static async #settled(
    connection: StreamConnection,
    key: readonly [string, string],
  ): Promise<PostgresZone | undefined> {
    const { client } = connection;
    for (let check = 1; ; check++) {
      await client.query("begin transaction isolation level repeatable read read only");
      const text = `select ${listed(zoneColumns)}, serial from zone where account_id = $1 and id = $2`;
      const { rows } = await client.query<ZoneState & { serial: number }>(text, [...key]);
      const [row] = rows;
      if (!row) return undefined;
      const steps = await stepsOf(client, unnumbered, key);
      if (steps.length === 0 || check === mostChecks) return new PostgresZone(connection, key, row, steps);
      await client.query("rollback");
      await delay(pause);
    }
  }

  private constructor(
    connection: StreamConnection,
    key: readonly [string, string],
    row: ZoneState & { serial: number },
    steps: readonly Step[],
  ) {
    this.#connection = connection;
    this.#key = key;
    this.#undone = new Map([...netChanges(steps)].map(([key, { before }]) => [key, before]));
    const zone = zoneOf(this.#undone.get(zoneKey), zoneState(row));
    this.now = { zone, serial: row.serial };
  }

  /** All records, in no order; a linked record with its target's answers. */
  async *records(): AsyncGenerator<readonly RecordState[]> {
    const [account, zone] = this.#key.map((id) => `'${id.replaceAll("'", "''")}'`);
    const text = `select ${listed(recordColumns)} from record where account_id = ${account} and zone_id = ${zone}`;
    for await (const rows of this.#connection.fetch<RecordState>(text, rowsAtOnce)) {
      yield await this.#answered(rows.filter((row) => !this.#undone.has(recordKey(row))));
    }
    const undone = [...this.#undone.values()].flatMap((entry) => (entry?.kind === "record" ? [entry.record] : []));
    yield await this.#answered(undone);
  }

  /** The records with their answers; a linked record without a target is left out. */
  async #answered(rows: readonly RecordState[]): Promise<RecordState[]> {
    const links = rows.flatMap(({ link, type }) =>
      link ? upwardsFrom(link).map((zone) => ({ link, type, zone })) : [],
    );
    if (links.length === 0) return rows.map(recordState);
    const found = await this.#connection.client.query<LinkTarget>(targets, [
      this.#key[0],
      ...[links.map(({ link }) => link), links.map(({ type }) => type), links.map(({ zone }) => zone)],
    ]);
    const known = new Map(found.rows.map((row) => [`${row.link} ${row.type}`, row]));
    return rows.flatMap((row) => {
      if (!row.link) return recordState(row);
      const target = known.get(`${row.link} ${row.type}`);
      if (!target?.record || target.is_closed || target.record.link) return [];
      return answeredWith(row, recordState(target.record));
    });
  }

  /**
   * The changes since an earlier serial; undefined when they are not known any more, too many, or include linked records,
   * whose former targets are not in the history of the zone.
   */
  async changesSince(serial: number): Promise<ZoneChanges | undefined> {
    const { client } = this.#connection;
    const { rows } = await client.query<{ steps: number; known: number; entries: number }>(measure, [
      ...this.#key,
      serial,
    ]);
    const [size] = rows;
    if (!size || size.steps === 0 || size.known < size.steps || size.entries > mostEntries) return undefined;
    if ((await client.query(anyLink, [...this.#key])).rows.length > 0) return undefined;
    const changed = netChanges(await stepsOf(client, since, this.#key, serial));
    const records = [...changed.values()];
    const pick = (entry: Entry | undefined) => (entry?.kind === "record" ? [entry.record] : []);
    if (records.some(({ before, after }) => [before, after].some((entry) => pick(entry)[0]?.link))) return undefined;
    const zone = changed.has(zoneKey) ? zoneOf(changed.get(zoneKey)?.before, this.now.zone) : this.now.zone;
    return {
      before: { zone, serial },
      removed: records.flatMap(({ before }) => pick(before)),
      added: records.flatMap(({ after }) => pick(after)),
    };
  }

  close(): void {
    this.#connection.end();
  }
}

/** The target of a link; `record` is null if the zone that has its name has no such record. */
interface LinkTarget {
  readonly link: string;
  readonly type: string;
  readonly is_closed: boolean;
  readonly record: RecordState | null;
}

const targets = `
  select distinct on (given.link, given.type) given.link, given.type, to_json(record) as record,
    zone.disabled or zone.expired or zone.hidden or zone.link is not null as is_closed
  from unnest($2::text[], $3::text[], $4::text[]) as given (link, type, zone)
  join zone on zone.account_id = $1 and zone.zone = given.zone
  left join record on record.account_id = zone.account_id and record.zone_id = zone.id
    and record.domain = given.link and record.type = given.type
  order by given.link, given.type, length(given.zone) desc`;

const anyLink = "select from record where account_id = $1 and zone_id = $2 and link is not null limit 1";

type Entry =
  | { readonly kind: "zone"; readonly zone: Partial<ZoneState> }
  | { readonly kind: "record"; readonly record: RecordState };

interface Step {
  readonly removed: readonly Entry[];
  readonly added: readonly Entry[];
}

const stepsOf = async (client: pg.Client, text: string, key: readonly [string, string], ...more: readonly number[]) =>
  (await client.query<Step>(text, [...key, ...more])).rows;

const unnumbered = `
  select history.removed, history.added from change
  join zone_history as history on history.account_id = change.account_id and history.change_id = change.id
  where change.revision is null and history.account_id = $1 and history.zone_id = $2 order by change.seq`;

const after = `
  from zone_serial as given
  left join ${historyOfSerial}
  where given.account_id = $1 and given.zone_id = $2 and given.revision > (
    select revision from zone_serial where account_id = $1 and zone_id = $2 and serial = $3)`;
const since = `select history.removed, history.added ${after} order by given.revision`;
const measure = `
  select count(*)::int as steps, count(history.change_id)::int as known,
    coalesce(sum(json_array_length(history.removed) + json_array_length(history.added)), 0)::int as entries ${after}`;

function netChanges(steps: readonly Step[]): ReadonlyMap<string, NetChange<Entry>> {
  const net = new NetDifference<Entry>();
  for (const step of steps) net.add(step);
  return net.entries;
}

/** The zone `now`, with the former values of the fields that its history keeps. */
const zoneOf = (entry: Entry | undefined, now: ZoneState): ZoneState =>
  entry?.kind === "zone" ? { ...now, ...entry.zone } : now;
