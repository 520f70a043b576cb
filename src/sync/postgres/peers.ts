/** Follows the keys and partners of zones in PostgreSQL. */
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type pg from "pg";
import { type Loop, loop } from "../../lib/loop.ts";
import { KnownPeers } from "../known-peers.ts";
import { type Incoming, noPeers, type Peers, type PrimarySettings, peersChannel, refreshChannel } from "../peers.ts";
import { Opened, openPeers, type SealedPeers, type ZoneRow } from "../sealed-peers.ts";
import type { PeersFollowing, PeersOptions } from "../site.ts";
import { tailChannel } from "../usage.ts";
import { StreamConnection } from "./connection.ts";
import { reasonOf } from "./failure.ts";

export interface PostgresPeersOptions extends PeersOptions {
  /** Milliseconds to the next poll after a failure. */
  readonly againAfter?: number;
  /** Milliseconds after a poll in which changes are gathered for the next poll. */
  readonly gatherFor?: number;
}

/** Milliseconds between two polls: the store notifies of changes, but a notification may be lost. */
const pollEvery = 60_000;
/** Milliseconds between two polls of an engine that does not notify. */
const pollEveryUnnotified = 5000;
/** The first of many changes is seen at once, before secondaries are notified of it; the rest of them with one poll. */
const usuallyGatherFor = 50;
/** A poll that takes long is followed by a pause this many times as long, at most a second in all. */
const restAfter = { times: 20, most: 1000 } as const;
/** From this many changed accounts on, all accounts are read. */
const mostAccounts = 100;
const usuallyAgainAfter = 2000;

const requestText = `update zone set refresh_at = 0
  from unnest($1::text[], $2::text[]) as asked (id, account_id)
  where zone.id = asked.id and zone.account_id = asked.account_id and refresh_at > 0`;

export class PostgresPeers implements PeersFollowing {
  readonly #url: string;
  readonly #options: PostgresPeersOptions;
  readonly #loop: Loop;
  readonly #known: KnownPeers;
  readonly #opened = new Opened();
  /** The version of each row that was read: the transaction that wrote it. */
  readonly #versions = new WeakMap<ZoneRow, string>();
  /** Accounts with changes since the last poll. */
  #changed = new Set<string>();
  /** These keys and partners as stored, with sealed secrets; a new object after each change. */
  rows: SealedPeers | undefined;
  #connection: StreamConnection | undefined;
  /** The account of each zone whose check is to be requested, because its primary sent NOTIFY. */
  readonly #requested = new Map<string, string>();
  #requesting: Promise<void> | undefined;

  constructor(url: string, options: PostgresPeersOptions) {
    this.#url = url;
    this.#options = options;
    this.rows = options.kept;
    this.#known = new KnownPeers(options.kept ? openPeers(options.kept, options, this.#opened) : noPeers);
    const { log, againAfter = usuallyAgainAfter } = options;
    this.#loop = loop({
      turn: (signal) => this.#turn(signal),
      every: againAfter,
      complain: (error) =>
        log.warn(
          { reason: reasonOf(error) },
          "keys and partners of zones could not be read: the known ones stay in use",
        ),
    });
  }

  /** The keys and partners that are known now. */
  get peers(): Peers {
    return this.#known.all();
  }

  /** Asks control to check the primary of a zone soon. While the store is unreachable, the request is lost. */
  request({ zone_id, account_id }: Incoming): void {
    this.#requested.set(zone_id, account_id);
    this.#requesting ??= this.#request().finally(() => {
      this.#requesting = undefined;
    });
  }

  /** Sends the requests. Requests that come meanwhile are sent together afterwards. */
  async #request(): Promise<void> {
    while (this.#requested.size > 0) {
      const zones = [...this.#requested];
      this.#requested.clear();
      const { client } = this.#connection ?? {};
      try {
        await client?.query(requestText, [zones.map(([id]) => id), zones.map(([, account_id]) => account_id)]);
        await client?.query(`notify ${refreshChannel}`);
      } catch (error) {
        this.#options.log.debug({ reason: String(error) }, "control was not told of NOTIFY messages from primaries");
      }
    }
  }

  async close(): Promise<void> {
    const closed = this.#loop.close();
    // a statement under way is not waited for
    this.#connection?.end();
    await closed;
    this.#connection?.end();
  }

  /** One poll, over a connection that is kept: of the accounts with changes, or of all. */
  async #turn(signal: AbortSignal): Promise<number> {
    const isFirst = this.#connection === undefined;
    const began = performance.now();
    try {
      this.#connection ??= await StreamConnection.open(this.#url, {
        id: `${this.#options.id} peers`,
        channel: peersChannel,
        others: { [tailChannel]: () => this.#options.onWatch?.() },
        onNews: (account) => {
          // a notification without an account is about all of them
          this.#changed.add(account ?? "");
          this.#loop.wake();
        },
      });
      const changed = this.#changed;
      const isOfAll = isFirst || changed.size === 0 || changed.size > mostAccounts || changed.has("");
      const accounts = isOfAll ? undefined : changed;
      this.#changed = new Set();
      await this.#read(this.#connection.client, accounts);
    } catch (error) {
      this.#connection?.end();
      this.#connection = undefined;
      throw error;
    }
    const { gatherFor = usuallyGatherFor } = this.#options;
    const rest = Math.min((performance.now() - began) * restAfter.times, restAfter.most);
    if (!isFirst) await delay(Math.max(gatherFor, rest), undefined, { signal, ref: false }).catch(() => {});
    return this.#connection.notifies ? pollEvery : pollEveryUnnotified;
  }

  /** Reads the rows of some accounts, or of all. Most polls of all find no change. */
  async #read(client: pg.Client, accounts: ReadonlySet<string> | undefined): Promise<void> {
    const before = this.rows && rowsOf(this.rows, (account) => accounts?.has(account) ?? true);
    const read = await readRows(client, accounts, before?.zones ?? [], this.#versions);
    const isSame = before !== undefined && isDeepStrictEqual(read, before);
    if (isSame) before.zones.forEach((row, at) => void copy(this.#versions, read.zones[at]!, row));
    else {
      const others = this.rows && accounts ? rowsOf(this.rows, (account) => !accounts.has(account)) : noRows;
      this.rows = { keys: [...others.keys, ...read.keys], zones: [...others.zones, ...read.zones] };
    }
    // also when the rows are the same: the master key may be new
    const change = this.#known.take(openPeers(isSame ? before : read, this.#options, this.#opened), accounts);
    if (change) this.#options.onChange(change);
  }
}

function copy<K extends object, V>(values: WeakMap<K, V>, from: K, to: K): void {
  const value = values.get(from);
  if (value !== undefined) values.set(to, value);
}

const noRows: SealedPeers = { keys: [], zones: [] };

const rowsOf = ({ keys, zones }: SealedPeers, isWanted: (account: string) => boolean): SealedPeers => ({
  keys: keys.filter(({ account_id }) => isWanted(account_id)),
  zones: zones.filter(({ account_id }) => isWanted(account_id)),
});

/** The settings of a zone's secondaries, without what edges do not use. */
const primaryText = `json_build_object(
  'enabled', "primary"->'enabled',
  'secondaries', coalesce((
    select json_agg(json_strip_nulls(json_build_object(
      'ip', one->'ip', 'networks', one->'networks', 'tsig_key', one->'tsig_key', 'tls_only', one->'tls_only')))
    from json_array_elements("primary"->'secondaries') as each (one)), '[]'))`;

/** What notices from a zone's primaries need. */
const secondaryText = `case when secondary->>'primary_ip' is not null then json_build_object(
  'primary_ip', secondary->'primary_ip', 'other_ips', secondary->'other_ips', 'tsig', secondary->'tsig') end`;

interface ReadRow extends Omit<ZoneRow, "primary"> {
  /** Null in a link to a zone. */
  readonly primary: PrimarySettings | null;
  /** Null in a link. */
  readonly version: string | null;
  /** Whether the version is known: settings are null then. */
  readonly is_known: boolean;
}

/**
 * Reads keys and partners of some accounts, or of all. Of some accounts, the settings of a zone whose version is known are
 * not read again, since a change is usually about one of perhaps thousands of zones.
 */
async function readRows(
  client: pg.Client,
  accounts: ReadonlySet<string> | undefined,
  before: readonly ZoneRow[],
  versions: WeakMap<ZoneRow, string>,
): Promise<SealedPeers> {
  const isWanted = (name: string) => `($1::text[] is null or ${name} = any($1::text[]))`;
  const wanted = accounts ? [...accounts] : null;
  // ordered, so that equal contents give equal rows
  const { rows: keys } = await client.query<SealedPeers["keys"][number]>(
    `select account_id, name, algorithm, secret from tsig_key where ${isWanted("account_id")} order by account_id, name`,
    [wanted],
  );
  const known = new Map(accounts ? before.flatMap((row) => (versions.has(row) ? [[row.id, row]] : [])) : []);
  const { rows } = await client.query<ReadRow>(
    `select account_id, id, zone, networks, secondary_key, zone.xmin::text as version, known_id is not null as is_known,
       case when known_id is null then ${primaryText} end as "primary",
       case when known_id is null then ${secondaryText} end as secondary
     from zone left join unnest($2::text[], $3::text[]) as known (known_id, known_version)
       on known_id = id and known_version = zone.xmin::text
     where ${isWanted("account_id")}
       and (known_id is not null or ("primary"->>'enabled') = 'true' or refresh_at is not null)
     union all
     select link.account_id, zone.id, link.zone, link.networks, null, null, false, null, null
     from zone join zone as link on link.account_id = zone.account_id and link.link = zone.zone
     where (zone."primary"->>'enabled') = 'true' and ${isWanted("zone.account_id")}
     order by account_id, id, zone`,
    [wanted, [...known.keys()], [...known.values()].map((row) => versions.get(row))],
  );
  const primaries = new Map<string, PrimarySettings>();
  for (const { id, primary, is_known } of rows) {
    const settings = is_known ? known.get(id)!.primary : primary;
    if (settings) primaries.set(id, settings);
  }
  const zones = rows.map(({ version, is_known, ...row }) => {
    const zone = is_known ? known.get(row.id)! : { ...row, primary: primaries.get(row.id)! };
    if (version !== null) versions.set(zone, version);
    return zone;
  });
  return { keys, zones };
}
