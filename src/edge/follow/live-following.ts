/** Follows live values over a separate connection. */
import { setTimeout as delay } from "node:timers/promises";
import type { FeedState } from "../../answer/live/share.ts";
import type { Log } from "../../lib/log.ts";
import type { Site } from "../../sync/site.ts";
import type { Position } from "../../sync/subscription.ts";
import { Following } from "./following.ts";
import { EdgeLive } from "./live.ts";

/** Milliseconds. The store has just sent the configuration, so the values arrive at once or not soon. */
const patience = 2000;

export interface LiveOptions {
  readonly site: Pick<Site, "followLive">;
  readonly id: string;
  readonly log: Log;
  /** The snapshot that the edge starts from. */
  readonly restored?: { readonly position: Position; readonly states: readonly FeedState[] } | undefined;
}

export class LiveFollowing {
  readonly live: EdgeLive;
  readonly following: Following;
  readonly #options: LiveOptions;
  readonly #closing = new AbortController();

  constructor(options: LiveOptions) {
    this.#options = options;
    const { site, id, log, restored } = options;
    this.live = new EdgeLive(log);
    if (restored) this.live.restore(restored.states);
    const from = restored?.position;
    const { signal } = this.#closing;
    this.following = new Following(site.followLive(this.live, { log, id, signal, from }), from);
  }

  /** Resolves when there are values, from a snapshot or the site, or after two seconds: an edge can answer without. */
  async loaded(): Promise<void> {
    const { restored, log } = this.#options;
    if (restored) return;
    const given = new AbortController();
    const late = delay(patience, true, { signal: given.signal }).catch(() => false);
    const started = this.following.started.then(
      () => false,
      () => false,
    );
    if (await Promise.race([started, late])) {
      log.warn("no values of feeds yet; queries are answered without them until they arrive");
    }
    given.abort();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.following.close();
  }
}
