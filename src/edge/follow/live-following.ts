/** Follows live values over a separate connection. */
import { setTimeout as delay } from "node:timers/promises";
import type { FeedState } from "../../answer/live/share.ts";
import type { Log } from "../../lib/log.ts";
import type { Site } from "../../sync/site.ts";
import type { Position, Subscription } from "../../sync/subscription.ts";
import { EdgeLive } from "./live.ts";

export interface LiveFollowing {
  readonly live: EdgeLive;
  /** Resolves with the first values, from a snapshot or the site, or after two seconds: an edge can answer without. */
  taken(): Promise<void>;
  status(): LiveStatus;
  /** Position of the values; undefined before there are any. */
  position(): Position | undefined;
  close(): Promise<void>;
}

export interface LiveStatus {
  /** The last applied revision; 0 before the first baseline. */
  readonly revision: number;
  /** Milliseconds since the values were known to be current; 0 when they are. */
  readonly behind: number;
}

/** The store has just sent the configuration, so values arrive at once or not soon. */
const patience = 2000;

export interface LiveOptions {
  readonly site: Pick<Site, "followLive">;
  readonly id: string;
  readonly log: Log;
  /** The snapshot that the edge starts from. */
  readonly restored?: { readonly position: Position; readonly states: readonly FeedState[] } | undefined;
}

export function followLive({ site, id, log, restored }: LiveOptions): LiveFollowing {
  const live = new EdgeLive(log);
  if (restored) live.restore(restored.states);
  const from = restored?.position;
  const began = from?.currentAt ?? Date.now();
  const closing = new AbortController();
  const following = site.followLive(live, { log, id, signal: closing.signal, from });
  let subscription: Subscription | undefined;
  const started = following.then(
    (made) => {
      subscription = made;
    },
    // closed before
    () => {},
  );
  const behind = () => subscription?.behind ?? Math.max(0, Date.now() - began);
  return {
    live,
    async taken() {
      if (restored) return;
      const given = new AbortController();
      const late = delay(patience, true, { signal: given.signal }).catch(() => false);
      if (await Promise.race([started.then(() => false), late])) {
        log.warn("no values of feeds yet; queries are answered without them until they arrive");
      }
      given.abort();
    },
    status: () => ({ revision: subscription?.revision ?? from?.revision ?? 0, behind: behind() }),
    position() {
      if (!subscription) return from;
      const { revision, store } = subscription;
      return { revision, store, currentAt: Date.now() - behind() };
    },
    async close() {
      closing.abort();
      await started;
      await subscription?.close();
    },
  };
}
