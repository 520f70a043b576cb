/** Follows the keys and partners of zones in PostgreSQL. */
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type pg from "pg";
import { type Incoming, noPeers, type Peers, peersChannel, refreshChannel } from "../peers.ts";
import { openPeers, type SealedPeers } from "../sealed-peers.ts";
import type { PeersFollowing, PeersOptions } from "../site.ts";
import { StreamConnection } from "./connection.ts";
import { reasonOf } from "./failure.ts";

export interface PostgresPeersOptions extends PeersOptions {
  /** Milliseconds until it is tried again after a failure. */
  readonly againAfter?: number;
  /** Milliseconds from a look that was asked for to the next one. */
  readonly gatherFor?: number;
}

/** Milliseconds between two looks: notifications may be lost. */
const lookEvery = 60_000;
/** The same for engines of the dialect without notifications. */
const lookUnnotified = 5000;
/** The first of many changes is seen at once, before secondaries are notified; the others are one look. */
const usuallyGatherFor = 50;
const usuallyAgainAfter = 2000;

const requestText = `update zone set refresh_at = 0
  from unnest($1::text[], $2::text[]) as asked (id, account_id)
  where zone.id = asked.id and zone.account_id = asked.account_id and refresh_at > 0`;

export class PostgresPeers implements PeersFollowing {
  readonly #url: string;
  readonly #options: PostgresPeersOptions;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  /** The current keys and partners. */
  peers: Peers;
  /** The same as the store has it; another object when it is something else. */
  rows: SealedPeers | undefined;
  #connection: StreamConnection | undefined;
  /** The log has the outage already. */
  #isAway = false;
  /** Zones with notices to pass to the store, with their accounts. */
  readonly #requested = new Map<string, string>();
  #requesting: Promise<void> | undefined;
  #wake: () => void = () => {};

  constructor(url: string, options: PostgresPeersOptions) {
    this.#url = url;
    this.#options = options;
    this.rows = options.kept;
    this.peers = options.kept ? openPeers(options.kept, options) : noPeers;
    this.#running = this.#run();
  }

  /** Has control look at the primary of a zone soon. Without the store it is as if the notice had been lost. */
  request({ zone_id, account_id }: Incoming): void {
    this.#requested.set(zone_id, account_id);
    this.#requesting ??= this.#request().finally(() => {
      this.#requesting = undefined;
    });
  }

  /** Notices that come meanwhile are passed on together afterwards. */
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
        await Promise.race([told, this.#pause(connection.notifies ? lookEvery : lookUnnotified, over.signal)]);
        over.abort();
      }
    } finally {
      connection.end();
    }
  }

  /** Most looks find no change: listeners are called only after one. */
  #take(rows: SealedPeers): void {
    this.#isAway = false;
    if (!isDeepStrictEqual(rows, this.rows)) this.rows = rows;
    // also of the same rows: the master key may have been made since
    const peers = openPeers(rows, this.#options);
    if (isDeepStrictEqual(peers, this.peers)) return;
    this.peers = peers;
    this.#options.onChange(peers);
  }

  async #pause(milliseconds: number, ...ends: readonly AbortSignal[]): Promise<void> {
    const signal = AbortSignal.any([this.#closing.signal, ...ends]);
    await delay(milliseconds, undefined, { signal, ref: false }).catch(() => {});
  }
}

async function readRows(client: pg.Client): Promise<SealedPeers> {
  // in an order, so that two looks at the same are equal
  const { rows: keys } = await client.query<SealedPeers["keys"][number]>(
    "select account_id, name, algorithm, secret from tsig_key order by account_id, name",
  );
  const { rows: zones } = await client.query<SealedPeers["zones"][number]>(
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
