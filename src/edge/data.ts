/** The data that an edge loads and then follows: zones, zones' partners, values of feeds, geo files, cookie secrets. */
import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { GeoData } from "../geo/facts/data.ts";
import { type FollowedGeo, followGeo } from "../geo/follow.ts";
import { readMasterKeys, type Secrets, secretsFrom } from "../lib/secrets.ts";
import type { PeersFollowing } from "../sync/site.ts";
import type { EdgeOptions, Revisions } from "./edge.ts";
import { Following } from "./follow/following.ts";
import { LiveFollowing } from "./follow/live-following.ts";
import { restWhileAsked } from "./follow/resting.ts";
import { EdgeState } from "./follow/state.ts";
import { CookieSecrets } from "./serve/cookie-secrets.ts";
import type { EdgeSnapshots } from "./snapshot/edge-snapshots.ts";
import { aboutEdge } from "./watch/about.ts";
import { Watch } from "./watch/watch.ts";
import type { WorkerUpdate } from "./workers/messages.ts";

export interface DataEvents {
  /** Called with each update for the workers. */
  readonly onUpdate: (update: WorkerUpdate) => void;
  /** Called after changes to zones or records. */
  readonly onApplied: () => void;
  /** Queries that were received since the start. */
  readonly queries: () => number;
  /** Called when somebody watches the queries of a zone. */
  readonly onWatch: () => void;
  /** Aborted when the edge is closed: it no longer waits for the first baseline. */
  readonly signal: AbortSignal;
}

/** Milliseconds between two checks of the edge's progress. */
const checkEvery = 5;

export class EdgeData {
  readonly zones: EdgeState;
  readonly feeds: LiveFollowing;
  readonly partners: PeersFollowing;
  readonly cookies: CookieSecrets;
  /** Position of the zones in the change stream. */
  readonly configuration: Following;
  /** Compares the zones with the store. */
  readonly watch: Watch;
  /** Whether the zones were read from a snapshot. */
  readonly isRestored: boolean;
  readonly #locating: Promise<FollowedGeo | undefined>;
  readonly #signal: AbortSignal;
  #geo: FollowedGeo | undefined;

  constructor(
    options: EdgeOptions,
    snapshots: EdgeSnapshots | undefined,
    { onUpdate, onApplied, queries, onWatch, signal }: DataEvents,
  ) {
    const { log, site, id, networks = "all", memoryLimit, masterKeyFile, geo } = options;
    this.#signal = signal;
    this.zones = new EdgeState({
      log,
      networks,
      memoryLimit,
      onImage: (share) => onUpdate({ kind: "image", share }),
      onGrow: (share) => onUpdate({ kind: "grown", share }),
      onApplied,
      rest: restWhileAsked(queries),
    });
    const restored = snapshots?.restoreZones();
    if (restored) this.zones.restore(restored.image, restored.revision, restored.quarantined);
    this.isRestored = restored !== undefined;
    this.feeds = new LiveFollowing({ site, id, log, restored: snapshots?.restoreValues() });
    this.cookies = new CookieSecrets({
      configured: options.cookieSecrets,
      site,
      onChange: (secrets) => onUpdate({ kind: "cookies", secrets }),
      log,
    });
    this.partners = site.followPeers({
      log,
      id,
      secrets: () => secretsOf(masterKeyFile),
      networks,
      kept: snapshots?.restorePartners(),
      onChange: (change) => onUpdate({ kind: "peers", change }),
      onWatch,
    });
    const onChange = (data: GeoData) => onUpdate({ kind: "geo", geo: data });
    this.#locating = geo.length === 0 ? Promise.resolve(undefined) : followGeo(geo, { log, onChange });
    // `loaded` handles the rejection
    this.#locating.catch(() => {});
    // an image of an earlier format is answered until a new one is complete
    const from = restored?.isEarlier ? undefined : restored;
    const following = site.followChanges(this.zones, { log, id, signal, from, onDigests: () => this.watch.wake() });
    this.configuration = new Following(following, restored, () => this.zones.revision);
    const about = aboutEdge({ version: options.version, networks, zones: this.zones, queries });
    this.watch = new Watch({ site, id, zones: this.zones, about, every: options.compareEvery, log });
    snapshots?.start({
      state: this.zones,
      feeds: this.feeds,
      partners: this.partners,
      position: () => this.configuration.position(),
    });
  }

  geo(): GeoData | undefined {
    return this.#geo?.data;
  }

  revisions(): Revisions {
    return { revision: this.configuration.revision, live: this.feeds.following.revision };
  }

  /** Resolves when the edge can answer: zones, values and geo files are loaded, and `wanted` is reached. */
  async loaded(wanted: Revisions = { revision: 0, live: 0 }): Promise<void> {
    const signal = this.#signal;
    if (!this.isRestored) await this.configuration.started;
    await this.feeds.loaded();
    for (let now = this.revisions(); now.revision < wanted.revision || now.live < wanted.live; now = this.revisions()) {
      await delay(checkEvery, undefined, { signal });
    }
    this.#geo = await this.#locating;
    signal.throwIfAborted();
  }

  status() {
    const { configuration, feeds, zones } = this;
    const { zones: count, records } = zones.stats();
    return {
      revision: configuration.revision,
      behind: configuration.behind,
      zones: count,
      records,
      full: zones.memory.isFull,
      quarantined: zones.quarantine.status(),
      watch: this.watch.status(),
      live: {
        revision: feeds.following.revision,
        behind: feeds.following.behind,
        unserved: feeds.live.stats().unserved,
      },
    };
  }

  async close(): Promise<void> {
    await this.#locating.then(
      (geo) => geo?.close(),
      () => {},
    );
    await this.watch.close();
    await this.feeds.close();
    this.cookies.close();
    await this.partners.close();
    // changes that wait for memory are given up
    this.zones.memory.close();
    await this.configuration.close();
  }
}

/** Undefined while the file does not exist: the service creates it at its first start. */
function secretsOf(file: string | undefined): Secrets | undefined {
  return file !== undefined && existsSync(file) ? secretsFrom(readMasterKeys(file)) : undefined;
}
