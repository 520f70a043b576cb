/** Starts an edge: it follows its site into an image, and worker threads answer from that. */
import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { systemClock } from "../lib/clock.ts";
import { idleAfter } from "../net/tcp.ts";
import type { XdpQueue } from "../net/xdp/queue.ts";
import { EdgeData } from "./data.ts";
import type { Edge, EdgeOptions } from "./edge.ts";
import { tidyAfterChanges } from "./follow/tidying.ts";
import { QueryLog } from "./querylog/query-log.ts";
import { makeNoticeTable } from "./serve/notice-table.ts";
import { Notices } from "./serve/notices.ts";
import { makeRateTable } from "./serve/rate.ts";
import { EdgeSnapshots } from "./snapshot/edge-snapshots.ts";
import { EdgeTail } from "./tail/tail.ts";
import { EdgeUsage } from "./usage/usage.ts";
import { bindAll, closeDatagrams, closeListeners } from "./workers/listening.ts";
import type { WorkerUpdate } from "./workers/messages.ts";
import { Workers, type WorkersOptions } from "./workers/workers.ts";

/** Resolves when the sockets are open. Throws a Problem that names an address that is not available. */
export async function startEdge(options: EdgeOptions): Promise<Edge> {
  const { log, site, id, networks = "all" } = options;
  const { sockets, streams } = await bindAll(options);
  const transfers = { zones: site.zones, most: options.transfers };
  const closing = new AbortController();

  const snapshots = options.snapshots && new EdgeSnapshots({ ...options.snapshots, networks, log });
  const queryLog = options.queryLog && new QueryLog({ ...options.queryLog, log });
  const data = new EdgeData(options, snapshots, {
    onUpdate: (update) => pass(update),
    onApplied: () => tidying.wake(),
    queries: () => workers.queries(),
    onWatch: () => tail.wake(),
    signal: closing.signal,
  });
  const replies = replySettings(options);
  const notices = new Notices((zone) => data.partners.request(zone), replies.notices);
  const queues = await queueMaker(options.xdp ?? []);
  const workers = new Workers({
    sockets,
    ...(queues ? { queues } : {}),
    streams: { ...streams, transfers },
    share: () => data.zones.share()!,
    live: data.feeds.live.share(),
    geo: () => data.geo(),
    replies: () => ({ ...replies, secrets: data.cookies.get() }),
    peers: () => data.partners.peers,
    onNotify: (zone) => notices.take(zone),
    queryLog,
    watched: () => watched,
    onSeen: (query) => tail.take(query),
    onDataFault: (fault) => data.zones.fault(fault),
    log,
  });
  const carrier = site.usage();
  const usage = new EdgeUsage({ edge: id, carrier, reasonOf: site.reasonOf, clock: systemClock, log });
  let watched: readonly string[] = [];
  const onWatched = (zones: readonly string[]) => {
    watched = zones;
    workers.send({ kind: "watched", zones });
  };
  const tail = new EdgeTail({ carrier, onWatched, reasonOf: site.reasonOf, log });
  const countQueries = () => usage.begin(data.zones.image()!, workers.renewUsage());
  if (data.isRestored) countQueries();
  const pass = (update: WorkerUpdate) => {
    // before any worker answers from the new image
    if (update.kind === "image") countQueries();
    workers.send(update);
  };
  const tidying = tidyAfterChanges(() => data.zones.image(), log);

  let isReady = false;
  const ready = data
    .loaded(options.takesOver)
    .then(() => workers.start())
    .then(() => {
      isReady = true;
      // the site learns of the edge now, and not with the next comparison
      data.watch.wake();
    });
  // logged even if the caller does not wait for `ready`
  ready.catch((error) => closing.signal.aborted || log.error({ reason: String(error) }, "the edge cannot answer"));
  const addresses = sockets.map(({ address, port }) => ({ address, port }));
  const { zones, configuration, feeds, watch } = data;
  const parts = { zones, configuration, feeds, watch, usage, queryLog, snapshots };
  let rendering: Promise<() => Promise<string>> | undefined;
  // loaded for the first request: until then the edge has better things to do
  const metrics = async () => {
    rendering ??= import("./metrics/metrics.ts").then(({ makeMetrics }) => makeMetrics(workers, sockets, parts));
    return await (await rendering)();
  };

  const close = async () => {
    closing.abort();
    await tidying.close();
    const stopped = workers.stop();
    // while this edge writes its snapshot, clients and balancers find nobody here, and ask another edge at once
    closeListeners([...sockets, ...streams.secure]);
    await stopped;
    closeDatagrams(sockets);
    await atMost(patience, tail.close());
    await atMost(patience, usage.close());
    await queryLog?.close();
    await snapshots?.close();
    notices.close();
    await atMost(patience, data.close());
  };
  return {
    ready,
    addresses,
    metrics,
    status: () => ({ ...data.status(), ready: isReady, addresses, snapshot: snapshots?.status() }),
    async writeSnapshot() {
      await snapshots?.write();
      return data.revisions();
    },
    async retire() {
      snapshots?.abandon();
      await workers.retire();
      await close();
    },
    close,
  };
}

/** Milliseconds for each part that talks to the store when the edge is closed: a frozen store never answers. */
const patience = 1000;

/** Waits for `milliseconds` at most; what is not done by then goes on. */
async function atMost(milliseconds: number, done: Promise<void>): Promise<void> {
  const given = new AbortController();
  const late = delay(milliseconds, undefined, { signal: given.signal, ref: false }).catch(() => {});
  await Promise.race([done, late]);
  given.abort();
}

/** Not loaded without queues. */
async function queueMaker(queues: readonly XdpQueue[]): Promise<WorkersOptions["queues"]> {
  if (queues.length === 0) return undefined;
  const { queueWorkers } = await import("./workers/queues.ts");
  return (first, most, common) => queueWorkers(queues.slice(0, most), first, common);
}

const replySettings = ({ nsid, limits, tailAddresses = false }: EdgeOptions) => ({
  limits,
  tailAddresses,
  rates: makeRateTable(randomInt(2 ** 32)),
  notices: makeNoticeTable(randomInt(2 ** 32)),
  idle: idleAfter,
  ...(nsid ? { nsid } : {}),
});
