/** What an edge says about itself in its reports, for the operator. */
import { type Clock, seconds, systemClock } from "../../lib/clock.ts";
import type { ServedNetworks } from "../../sync/change.ts";
import type { AboutEdge } from "../../sync/site.ts";
import type { EdgeState } from "../follow/state.ts";

export interface AboutOptions {
  readonly version: string;
  readonly networks: ServedNetworks;
  readonly zones: Pick<EdgeState, "stats">;
  /** Queries that were received since the start. */
  readonly queries: () => number;
  readonly clock?: Clock;
}

/** Returns a function that describes the edge as it is then. */
export function aboutEdge({ version, networks, zones, queries, clock = systemClock }: AboutOptions): () => AboutEdge {
  const started = seconds(clock);
  let last: { readonly at: number; readonly count: number } | undefined;
  return () => {
    const [at, count] = [clock.now(), queries()];
    const rate = last && at > last.at ? ((count - last.count) * 1000) / (at - last.at) : null;
    last = { at, count };
    const { zones: number, records, octets } = zones.stats();
    return {
      ...{ version, started, networks: networks === "all" ? null : networks, zones: number, records },
      queries: rate === null ? null : Math.round(rate * 10) / 10,
      memory: { process: process.memoryUsage.rss(), zones: octets },
    };
  };
}
