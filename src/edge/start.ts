/** Starts an edge: follows the change stream into an image, and has worker threads answer from it. */
import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { GeoData } from "../geo/facts/data.ts";
import { type FollowedGeo, followGeo } from "../geo/follow.ts";
import { systemClock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { readMasterKeys, type Secrets, secretsFrom } from "../lib/secrets.ts";
import { idleAfter } from "../net/tcp.ts";
import type { ServedNetworks } from "../sync/change.ts";
import type { Site } from "../sync/site.ts";
import { type ConfigurationStatus, watchFollowing } from "./follow/following.ts";
import { followLive, type LiveStatus } from "./follow/live-following.ts";
import type { QuarantineStatus } from "./follow/quarantine.ts";
import { restWhileAsked } from "./follow/resting.ts";
import { EdgeState } from "./follow/state.ts";
import { Tidying } from "./follow/tidying.ts";
import { makeMetrics } from "./metrics/metrics.ts";
import { QueryLog, type QueryLogOptions } from "./querylog/query-log.ts";
import { CookieSecrets } from "./serve/cookie-secrets.ts";
import { Notices } from "./serve/notices.ts";
import { makeRateTable, noLimits, type RateLimits } from "./serve/rate.ts";
import { Keeping, type KeepingOptions, type KeepingStatus } from "./snapshot/keeping.ts";
import { EdgeUsage } from "./usage/usage.ts";
import { counted } from "./workers/counters.ts";
import { bindSockets, bindStreams, closeSockets, type Listening } from "./workers/listening.ts";
import { Workers } from "./workers/workers.ts";

export type { DnsSocket, SecureSocket } from "./workers/listening.ts";

export interface EdgeOptions extends Listening {
  readonly site: Site;
  readonly log: Log;
  /** Files that say where clients are. */
  readonly geo?: readonly string[];
  /** Cookies are made with the first of these secrets of 16 octets and taken with any; without, with what the store's edges share. */
  readonly cookieSecrets?: readonly Uint8Array[];
  /** The identifier that NSID tells, 64 octets at most. */
  readonly nsid?: Uint8Array;
  /** How many answers clients get; as many as they ask for without. */
  readonly limits?: RateLimits;
  /** Queries are logged there. */
  readonly queryLog?: Omit<QueryLogOptions, "log"> | undefined;
  /** Whose zones are answered for; all when left out. */
  readonly networks?: ServedNetworks;
  /** Under which the store knows this edge. */
  readonly id: string;
  /** The store's master keys, which open the keys of signed messages; those stay unknown without it. */
  readonly masterKeyFile?: string;
  /** Where the edge keeps what it knows; nothing is kept without it. */
  readonly keep?: Omit<KeepingOptions, "log" | "networks"> | undefined;
  /** Zones that are sent to other servers at once. */
  readonly transfers?: number | undefined;
  /** Octets that the zones may take; changes wait beyond. */
  readonly memoryLimit?: number | undefined;
  /** How far the edge is that this one follows on the same sockets: until it knows as much, it answers nothing. */
  readonly takesOver?: Known | undefined;
}

/** Revisions of the configuration and of the values of feeds that an edge has applied. */
export interface Known {
  readonly revision: number;
  readonly live: number;
}

export interface EdgeStatus extends ConfigurationStatus {
  /** Where it answers over UDP and TCP. */
  readonly addresses: Edge["addresses"];
  /** The same of the values of feeds. */
  readonly live: LiveStatus;
  /** Changes wait for memory. */
  readonly full: boolean;
  /** Names and zones whose data made the engine fail; the first of them. */
  readonly quarantined: QuarantineStatus;
  /** Of what is kept on disk; undefined when nothing is. */
  readonly snapshot: KeepingStatus | undefined;
}

export interface Edge {
  /** Queries are answered, from a snapshot or from the first baseline on; until then they wait in the sockets. */
  readonly ready: Promise<void>;
  readonly addresses: readonly { readonly address: string; readonly port: number }[];
  metrics(): Promise<string>;
  status(): EdgeStatus;
  /** Brings to disk what the edge knows, for the one that takes over from it, and says how far that is. */
  keep(): Promise<Known>;
  /** Another edge answers on the same sockets: this one reads no more datagrams, and closes when its connections have had time to end. */
  retire(): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds from one look to the next at what is known. */
const lookEvery = 5;

/** Resolves when the sockets are open. Throws a Problem that names the address that cannot be had. */
export async function startEdge(options: EdgeOptions): Promise<Edge> {
  const { log, site, id, geo: files = [], takesOver } = options;
  const sockets = await bindSockets(options);
  const transfers = { zones: site.zones, most: options.transfers };
  const streams = { ...bindStreams(options, sockets), transfers };
  const { networks = "all" } = options;
  const state = new EdgeState({
    log,
    networks,
    memoryLimit: options.memoryLimit,
    onImage(share) {
      count();
      workers.tell({ kind: "image", share });
    },
    onGrow: (share) => workers.tell({ kind: "grown", share }),
    rest: restWhileAsked(() => workers.slots.reduce((sum, { counts }) => sum + counts[counted.queries]!, 0)),
  });
  const keeping = options.keep && new Keeping({ ...options.keep, networks, log });
  const restored = keeping?.restoreZones();
  if (restored) state.restore(restored.image, restored.revision, restored.quarantined);
  const feeds = followLive({ site, id, log, restored: keeping?.restoreValues() });
  const secrets = new CookieSecrets({
    configured: options.cookieSecrets ?? [],
    site,
    onChange: (made) => workers.tell({ kind: "cookies", secrets: made }),
    log,
  });
  const replies = replySettings(options);
  const partners = site.followPeers({
    log,
    id,
    secrets: () => secretsOf(options.masterKeyFile),
    networks,
    kept: keeping?.restorePartners(),
    onChange: (peers) => workers.tell({ kind: "peers", peers }),
  });
  const notices = new Notices((zone) => partners.request(zone));
  let geo: FollowedGeo | undefined;
  const locating = followFiles(files, log, (data) => workers.tell({ kind: "geo", geo: data }));
  // awaited only once the configuration is there
  locating.catch(() => {});
  const queryLog = options.queryLog && new QueryLog({ ...options.queryLog, log });
  const workers = new Workers({
    sockets,
    streams,
    share: () => state.share()!,
    live: feeds.live.share(),
    geo: () => geo?.data,
    replies: () => ({ ...replies, secrets: secrets.get() }),
    peers: () => partners.peers,
    onNotify: (zone) => notices.take(zone),
    queryLog,
    onDataFault: (fault) => state.fault(fault),
    log,
  });
  const usage = new EdgeUsage({ edge: id, carrier: site.usage(), reasonOf: site.reasonOf, clock: systemClock, log });
  const count = () => usage.begin(state.image()!, workers.renewUsage());
  if (restored) count();
  const closing = new AbortController();
  const following = site.followChanges(state, { log, id, signal: closing.signal, from: restored });
  const configuration = watchFollowing(following, state, restored);
  const tidying = new Tidying(() => state.image());
  keeping?.start({ state, feeds, partners, place: configuration.place });
  const addresses = sockets.map(({ address, port }) => ({ address, port }));
  const status = () => ({
    ...configuration.get(),
    addresses,
    full: state.room.isFull,
    quarantined: state.quarantine.status(),
    live: feeds.status(),
    snapshot: keeping?.status(),
  });
  const known = (): Known => ({ revision: state.revision ?? 0, live: feeds.status().revision });
  const ready = (restored ? Promise.resolve() : following)
    .then(() => feeds.taken())
    .then(() => takesOver && reached(takesOver, known, closing.signal))
    .then(async () => {
      geo = await locating;
      closing.signal.throwIfAborted();
      return workers.start();
    })
    .then(() => configuration.setReady());
  // who does not wait for it still hears of it
  ready.catch((error) => closing.signal.aborted || log.error({ reason: String(error) }, "the edge cannot answer"));
  const metrics = makeMetrics(workers.slots, sockets, () => ({
    ...configuration.get(),
    image: state.stats(),
    refused: state.refused,
    full: state.room.isFull,
    waiting: state.waiting,
    memoryLimit: state.room.limit,
    quarantined: state.quarantine.list(),
    usage: usage.status(),
    queryLog,
    snapshot: keeping?.status(),
    live: { ...feeds.live.stats(), ...feeds.status() },
  }));
  const close = async () => {
    closing.abort();
    tidying.close();
    await workers.stop();
    await usage.close();
    await queryLog?.close();
    await locating.then(
      (followed) => followed?.close(),
      () => {},
    );
    await keeping?.close();
    await feeds.close();
    secrets.close();
    notices.close();
    await partners.close();
    const followed = following.then(
      (subscription) => subscription.close(),
      () => {},
    );
    state.room.close();
    await followed;
    closeSockets([...sockets, ...streams.secure]);
  };
  return {
    ready,
    addresses,
    metrics,
    status,
    async keep() {
      await keeping?.write();
      return known();
    },
    async retire() {
      keeping?.leave();
      await workers.retire();
      await close();
    },
    close,
  };
}

/** None while there is no file: the first start of the service makes it. */
function secretsOf(file: string | undefined): Secrets | undefined {
  return file !== undefined && existsSync(file) ? secretsFrom(readMasterKeys(file)) : undefined;
}

/** Resolves when as much is known; what is missing comes with the stream. */
async function reached({ revision, live }: Known, known: () => Known, signal: AbortSignal): Promise<void> {
  for (let now = known(); now.revision < revision || now.live < live; now = known()) {
    await delay(lookEvery, undefined, { signal });
  }
}

const replySettings = ({ nsid, limits = noLimits }: EdgeOptions) => ({
  limits,
  rates: makeRateTable(randomInt(2 ** 32)),
  idle: idleAfter,
  ...(nsid ? { nsid } : {}),
});

async function followFiles(
  files: readonly string[],
  log: Log,
  onChange: (data: GeoData) => void,
): Promise<FollowedGeo | undefined> {
  return files.length === 0 ? undefined : await followGeo(files, { log, onChange });
}
