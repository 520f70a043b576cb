/** An edge follows the live values beside its configuration, over a connection of their own. */
import { setTimeout as delay } from "node:timers/promises";
import type { FeedState } from "../../answer/live/share.ts";
import type { Log } from "../../lib/log.ts";
import type { Site } from "../../sync/site.ts";
import type { Place, Subscription } from "../../sync/subscription.ts";
import { EdgeLive } from "./live.ts";

export interface LiveFollowing {
  readonly live: EdgeLive;
  /** Resolves when the first values are here, or those that were kept. Waits for them a moment only: an edge without values answers, too. */
  taken(): Promise<void>;
  status(): LiveStatus;
  /** What the values stand for; undefined before there are any. */
  place(): Place | undefined;
  close(): Promise<void>;
}

export interface LiveStatus {
  /** Applied last; 0 before the first baseline. */
  readonly revision: number;
  /** Milliseconds since the values were known to be current; 0 when they are. */
  readonly behind: number;
}

/** The store was there a moment ago, for the configuration: so the values come at once, or not soon. */
const patience = 2000;

export interface LiveOptions {
  readonly site: Pick<Site, "followLive">;
  readonly id: string;
  readonly log: Log;
  /** What was kept when the edge ended. */
  readonly restored?: { readonly place: Place; readonly states: readonly FeedState[] } | undefined;
}

export function followLive({ site, id, log, restored }: LiveOptions): LiveFollowing {
  const live = new EdgeLive(log);
  if (restored) live.restore(restored.states);
  const from = restored?.place;
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
        log.warn("no values of feeds yet: answers go without them until they come");
      }
      given.abort();
    },
    status: () => ({ revision: subscription?.revision ?? from?.revision ?? 0, behind: behind() }),
    place() {
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
