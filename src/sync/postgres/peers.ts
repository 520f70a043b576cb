/** Follows the keys and partners of zones in PostgreSQL. */
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type pg from "pg";
import { type Loop, loop } from "../../lib/loop.ts";
import { type Incoming, noPeers, type Peers, peersChannel, refreshChannel } from "../peers.ts";
import { openPeers, type SealedPeers } from "../sealed-peers.ts";
import type { PeersFollowing, PeersOptions } from "../site.ts";
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
const usuallyAgainAfter = 2000;

const requestText = `update zone set refresh_at = 0
  from unnest($1::text[], $2::text[]) as asked (id, account_id)
  where zone.id = asked.id and zone.account_id = asked.account_id and refresh_at > 0`;

export class PostgresPeers implements PeersFollowing {
  readonly #url: string;
  readonly #options: PostgresPeersOptions;
  readonly #loop: Loop;
  /** The keys and partners that are known now. */
  peers: Peers;
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
    this.peers = options.kept ? openPeers(options.kept, options) : noPeers;
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

  /** One poll, over a connection that is kept. */
  async #turn(signal: AbortSignal): Promise<number> {
    const isFirst = this.#connection === undefined;
    try {
      this.#connection ??= await StreamConnection.open(this.#url, {
        id: `${this.#options.id} peers`,
        channel: peersChannel,
        onNews: () => this.#loop.wake(),
      });
      this.#take(await readRows(this.#connection.client));
    } catch (error) {
      this.#connection?.end();
      this.#connection = undefined;
      throw error;
    }
    const { gatherFor = usuallyGatherFor } = this.#options;
    if (!isFirst) await delay(gatherFor, undefined, { signal, ref: false }).catch(() => {});
    return this.#connection.notifies ? pollEvery : pollEveryUnnotified;
  }

  /** Most polls find no change: then `onChange`, which is expensive, is not called. */
  #take(rows: SealedPeers): void {
    if (!isDeepStrictEqual(rows, this.rows)) this.rows = rows;
    // also when the rows are the same: the master key may be new
    const peers = openPeers(rows, this.#options);
    if (isDeepStrictEqual(peers, this.peers)) return;
    this.peers = peers;
    this.#options.onChange(peers);
  }
}

async function readRows(client: pg.Client): Promise<SealedPeers> {
  // ordered, so that equal contents give equal rows
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
