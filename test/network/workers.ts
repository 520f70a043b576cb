/** Worker threads on a loopback socket, and the state of an edge that they answer from. */
import { LiveTable } from "../../src/answer/live/table.ts";
import { EdgeState } from "../../src/edge/follow/state.ts";
import { Snapshots } from "../../src/edge/snapshot/snapshots.ts";
import { bindSocket, closeSockets } from "../../src/edge/workers/listening.ts";
import { Workers } from "../../src/edge/workers/workers.ts";
import type { Baseline } from "../../src/sync/change.ts";
import { noPeers } from "../../src/sync/peers.ts";
import { plainReplies } from "../service/replies.ts";
import { silent } from "../store/store.ts";

export interface WorkersOptions {
  readonly udp?: "auto" | "batched" | "portable";
  /** The number of UDP workers. */
  readonly count: number;
  readonly baseline: Baseline;
  /** The directory of a snapshot to start from. */
  readonly directory?: string | undefined;
  /** Receives functions that end the started threads. */
  readonly cleanups: (() => unknown)[];
}

export async function startWorkers({ udp = "auto", count, baseline, directory, cleanups }: WorkersOptions) {
  const sockets = [await bindSocket({ address: "127.0.0.1", port: 0 }, udp, count)];
  const workers: Workers = new Workers({
    sockets,
    share: () => state.share()!,
    live: new LiveTable().share(),
    geo: () => undefined,
    replies: () => plainReplies,
    streams: { secure: [], certificate: undefined, proxies: [] },
    peers: () => noPeers,
    watched: () => [],
    onSeen: () => {},
    onNotify: () => {},
    queryLog: undefined,
    onDataFault: (fault) => state.fault(fault),
    log: silent,
  });
  const state = new EdgeState({
    log: silent,
    onImage: (share) => workers.send({ kind: "image", share }),
    onGrow: (share) => workers.send({ kind: "grown", share }),
  });
  cleanups.push(() => closeSockets(sockets));
  cleanups.push(() => workers.stop());
  const kept = directory && new Snapshots(directory, "all", silent).restore();
  if (kept) state.restore(kept.image, kept.revision, kept.quarantined);
  else await state.start(baseline);
  await workers.start();
  return { state, workers, server: { address: "127.0.0.1", port: sockets[0]!.port } };
}
