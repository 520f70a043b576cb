/** Follows what PostgreSQL holds of keys and of the servers that zones are exchanged with. */
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type pg from "pg";
import { tsigAlgorithmNamed } from "../../dns/tsig/algorithms.ts";
import type { Log } from "../../lib/log.ts";
import type { Secrets } from "../../lib/secrets.ts";
import type { ServedNetworks } from "../change.ts";
import {
  type Incoming,
  noPeers,
  type Outgoing,
  type PeerKey,
  type Peers,
  type PrimarySettings,
  peersChannel,
  primariesOf,
  refreshChannel,
  type SecondarySettings,
  tsigKeyContext,
  zoneKeyContext,
} from "../peers.ts";
import { StreamConnection } from "./connection.ts";
import { reasonOf } from "./failure.ts";

export interface PeersOptions {
  readonly log: Log;
  readonly id: string;
  /** Opens secrets; asked at each look, because the first start makes the master key. Undefined where there is none. */
  readonly secrets: () => Secrets | undefined;
  /** Whose zones are transferred to others; all when left out. */
  readonly networks?: ServedNetworks;
  /** What the store had when the follower before this one ended. */
  readonly kept?: PeerRows | undefined;
  /** Called with what is known from now on. */
  readonly onChange: (peers: Peers) => void;
  /** Milliseconds until it is tried again after a failure. */
  readonly againAfter?: number;
  /** Milliseconds from a look that was asked for to the next one. */
  readonly gatherFor?: number;
}

/** Milliseconds between two looks: news are told, but may be lost. */
const lookEvery = 60_000;
/** The same for engines of the dialect that tell nothing. */
const lookUntold = 5000;
/** The first of many changes is seen at once, before secondaries are told of it; the others are one look. */
const usuallyGatherFor = 50;
const usuallyAgainAfter = 2000;

const requestText = `update zone set refresh_at = 0
  from unnest($1::text[], $2::text[]) as asked (id, account_id)
  where zone.id = asked.id and zone.account_id = asked.account_id and refresh_at > 0`;

export class PeersFollower {
  readonly #url: string;
  readonly #options: PeersOptions;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  /** What is known now. */
  peers: Peers;
  /** The same as the store has it; another object when it is something else. */
  rows: PeerRows | undefined;
  #connection: StreamConnection | undefined;
  /** The store has not answered since that was told. */
  #isAway = false;
  /** Zones of primaries' notices that the store is to be told of, with their accounts. */
  readonly #requested = new Map<string, string>();
  #requesting: Promise<void> | undefined;
  #wake: () => void = () => {};

  constructor(url: string, options: PeersOptions) {
    this.#url = url;
    this.#options = options;
    this.rows = options.kept;
    this.peers = options.kept ? peersOf(options.kept, options) : noPeers;
    this.#running = this.#run();
  }

  /** Has control look at the primary of a zone soon. Without the store it is as if the notice had been lost. */
  request({ zone_id, account_id }: Incoming): void {
    this.#requested.set(zone_id, account_id);
    this.#requesting ??= this.#request().finally(() => {
      this.#requesting = undefined;
    });
  }

  /** What comes while the store is told is told together afterwards. */
  async #request(): Promise<void> {
    while (this.#requested.size > 0) {
      const zones = [...this.#requested];
      this.#requested.clear();
      const { client } = this.#connection ?? {};
      try {
        await client?.query(requestText, [zones.map(([id]) => id), zones.map(([, account_id]) => account_id)]);
        await client?.query(`notify ${refreshChannel}`);
      } catch (error) {
        this.#options.log.debug({ reason: String(error) }, "notices of primaries were not passed on");
      }
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#wake();
    this.#connection?.end();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { log, againAfter = usuallyAgainAfter } = this.#options;
    while (!this.#closing.signal.aborted) {
      try {
        await this.#follow();
      } catch (error) {
        if (!this.#isAway && !this.#closing.signal.aborted) {
          log.warn({ reason: reasonOf(error) }, "keys and partners of zones stay as they are known");
        }
        this.#isAway = true;
      }
      await this.#pause(againAfter);
    }
  }

  async #follow(): Promise<void> {
    const connection = await StreamConnection.open(this.#url, {
      id: `${this.#options.id} peers`,
      channel: peersChannel,
      notice: () => this.#wake(),
    });
    this.#connection = connection;
    const { gatherFor = usuallyGatherFor } = this.#options;
    try {
      for (let rest = 0; !this.#closing.signal.aborted; rest = gatherFor) {
        const told = new Promise<void>((resolve) => (this.#wake = resolve));
        this.#take(await readRows(connection.client));
        await this.#pause(rest);
        const over = new AbortController();
        await Promise.race([told, this.#pause(connection.tells ? lookEvery : lookUntold, over.signal)]);
        over.abort();
      }
    } finally {
      connection.end();
    }
  }

  /** Most looks find what is known: whoever is told makes much anew. */
  #take(rows: PeerRows): void {
    this.#isAway = false;
    if (!isDeepStrictEqual(rows, this.rows)) this.rows = rows;
    // also of the same rows: the master key may have been made since
    const peers = peersOf(rows, this.#options);
    if (isDeepStrictEqual(peers, this.peers)) return;
    this.peers = peers;
    this.#options.onChange(peers);
  }

  async #pause(milliseconds: number, ...ends: readonly AbortSignal[]): Promise<void> {
    const signal = AbortSignal.any([this.#closing.signal, ...ends]);
    await delay(milliseconds, undefined, { signal, ref: false }).catch(() => {});
  }
}

interface KeyRow {
  readonly account_id: string;
  readonly name: string;
  readonly algorithm: string;
  readonly secret: string;
}

interface ZoneRow {
  readonly account_id: string;
  readonly id: string;
  readonly zone: string;
  readonly networks: readonly number[];
  readonly primary: PrimarySettings;
  readonly secondary: SecondarySettings | null;
  readonly secondary_key: string | null;
}

/** What the store has of keys and partners, its secrets sealed. */
export interface PeerRows {
  readonly keys: readonly KeyRow[];
  readonly zones: readonly ZoneRow[];
}

async function readRows(client: pg.Client): Promise<PeerRows> {
  // in an order, so that two looks at the same are equal
  const { rows: keys } = await client.query<KeyRow>(
    "select account_id, name, algorithm, secret from tsig_key order by account_id, name",
  );
  const { rows: zones } = await client.query<ZoneRow>(
    `select account_id, id, zone, networks, "primary", secondary, secondary_key from zone
     where ("primary"->>'enabled') = 'true' or refresh_at is not null
     union all
     select link.account_id, zone.id, link.zone, link.networks, zone."primary", null, null
     from zone join zone as link on link.account_id = zone.account_id and link.link = zone.zone
     where (zone."primary"->>'enabled') = 'true'
     order by account_id, id, zone`,
  );
  return { keys, zones };
}

function peersOf({ keys, zones }: PeerRows, { log, secrets, networks = "all" }: PeersOptions): Peers {
  const kit = secrets();
  const open = (key: KeyRow, context: string): PeerKey | undefined => {
    const algorithm = tsigAlgorithmNamed(key.algorithm);
    if (!kit || !algorithm) return undefined;
    try {
      const secret = new Uint8Array(Buffer.from(kit.open(key.secret, context), "base64"));
      return { account_id: key.account_id, name: key.name, algorithm, secret };
    } catch (error) {
      log.error({ key: key.name, reason: String(error) }, "a TSIG key cannot be opened");
      return undefined;
    }
  };
  const known = keys.flatMap((key) => open(key, tsigKeyContext(key.account_id, key.name)) ?? []);
  if (known.length < keys.length) {
    log.warn({ keys: keys.length - known.length }, "TSIG keys cannot be used: is this the store's master key file?");
  }
  return {
    keys: known,
    outgoing: zones.flatMap((zone) => (zone.primary.enabled ? outgoingOf(zone, networks) : [])),
    incoming: zones.flatMap((zone) => (zone.secondary ? incomingOf(zone, zone.secondary, open) : [])),
  };
}

/** What edges of these networks send of a zone; nothing when it is on none of them. */
function outgoingOf({ account_id, id, zone, networks, primary }: ZoneRow, served: ServedNetworks): Outgoing[] {
  const areServed = (ids: readonly number[]) => ids.some((id) => served === "all" || served.includes(id));
  const secondaries = primary.secondaries.filter((each) => each.networks.length === 0 || areServed(each.networks));
  const allowed = secondaries.map(({ ip, tsig_key, tls_only }) => ({
    ip,
    ...(tsig_key ? { tsig_key } : {}),
    ...(tls_only ? { tls_only } : {}),
  }));
  return areServed(networks) ? [{ account_id, zone_id: id, zone, allowed }] : [];
}

function incomingOf(
  { account_id, id, zone, secondary_key }: ZoneRow,
  secondary: SecondarySettings,
  open: (key: KeyRow, context: string) => PeerKey | undefined,
): Incoming {
  const { tsig } = secondary;
  const sealed = tsig?.enabled && secondary_key !== null ? secondary_key : undefined;
  const row = tsig && sealed !== undefined && { account_id, name: tsig.name, algorithm: tsig.hash, secret: sealed };
  const key = row ? open(row, zoneKeyContext(id)) : undefined;
  return {
    account_id,
    zone_id: id,
    zone,
    addresses: primariesOf(secondary).map(({ address }) => address),
    ...(key ? { key } : {}),
    mustSign: Boolean(tsig?.enabled && tsig.signed_notifies),
  };
}
